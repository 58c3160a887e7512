/// The position in one backoff; those that it is made of have positions of their own.
struct BackoffRun: Sendable {
  private let backoff: Backoff
  private var parts: [BackoffRun]
  /// The draws of a part that has a seed; those of the whole otherwise.
  private var ownDraws: Draws?

  /// How many delays were taken; it saturates.
  private var taken = 0
  /// factor^taken; infinite once it is beyond a `Double`.
  private var growth = 1.0
  /// The next delay and the one after it, if they follow from each other.
  private var upcoming: (Nanoseconds, Nanoseconds) = (0, 0)
  /// What decorrelated jitter draws from: the first delay that was not scattered, and the last one.
  private var first: Nanoseconds?
  private var previous: Nanoseconds = 0

  init(_ backoff: Backoff) {
    self.backoff = backoff
    parts = backoff.shape.parts.map(BackoffRun.init)
    ownDraws = backoff.seed.map(Draws.init(seed:))
    rewind()
  }

  /// Begins again; the draws go on.
  mutating func reset() {
    for index in parts.indices { parts[index].reset() }
    rewind()
  }

  /// The next delay, nil at the end.
  mutating func next(_ draws: inout Draws) -> Nanoseconds? {
    guard var ownDraws, !draws.isFixed else { return draw(&draws) }
    defer { self.ownDraws = ownDraws }
    return draw(&ownDraws)
  }

  private mutating func rewind() {
    taken = 0
    growth = 1
    first = nil
    switch backoff.shape {
    case .linear(let base, let increment): upcoming = (base, base.adding(increment))
    case .fibonacci(let base): upcoming = (base, base)
    default: upcoming = (0, 0)
    }
  }

  private mutating func draw(_ draws: inout Draws) -> Nanoseconds? {
    guard let computed = compute(&draws) else { return nil }
    taken = taken.adding(1)
    let plain = backoff.limited(computed)
    let scattered = scatter(plain, &draws)
    previous = backoff.limited(scattered)
    return previous
  }

  private mutating func compute(_ draws: inout Draws) -> Nanoseconds? {
    switch backoff.shape {
    case .exponential(let base, let factor):
      defer { growth *= factor }
      return base.scaled(by: growth, atMost: backoff.cap)
    case .linear(_, let increment):
      defer { upcoming = (upcoming.1, upcoming.1.adding(increment)) }
      return upcoming.0
    case .fibonacci:
      defer { upcoming = (upcoming.1, upcoming.0.adding(upcoming.1)) }
      return upcoming.0
    case .list(let delays):
      return taken < delays.count ? delays[taken] : nil
    case .uniform(let range):
      return draws.uniform(from: range.lowerBound, to: range.upperBound)
    case .custom(let custom):
      return custom.delay(taken.adding(1)).map(Nanoseconds.init(wait:))
    case .sum:
      guard let first = parts[0].next(&draws), let second = parts[1].next(&draws) else {
        return nil
      }
      return first.adding(second)
    case .sequence:
      return parts[0].next(&draws) ?? parts[1].next(&draws)
    case .limited(_, let count):
      return taken < count ? parts[0].next(&draws) : nil
    }
  }

  private mutating func scatter(_ plain: Nanoseconds, _ draws: inout Draws) -> Nanoseconds {
    switch backoff.jitter.kind {
    case .none:
      return plain
    case .full:
      return draws.uniform(from: 0, to: plain)
    case .equal:
      return draws.uniform(from: plain / 2, to: plain)
    case .proportional(let ratio):
      return plain.scaled(by: 1 - ratio + 2 * ratio * draws.next())
    case .additive(let amount):
      return draws.uniform(from: plain, to: plain.adding(amount))
    case .decorrelated:
      let base = first ?? plain
      let last = first == nil ? plain : previous
      first = base
      return draws.uniform(from: base, to: last.multiplied(by: 3))
    }
  }
}
