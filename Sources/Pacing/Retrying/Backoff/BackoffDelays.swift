/// One run through a backoff's delays.
package struct BackoffDelays: Sequence, IteratorProtocol, Sendable {
  private let backoff: Backoff
  private var random: SplitMix64

  /// How many delays were taken; it saturates.
  private var taken = 0
  /// factor^taken; infinite once it is beyond a `Double`.
  private var growth = 1.0
  /// The next delay of a linear backoff.
  private var upcoming: Nanoseconds = 0
  /// What decorrelated jitter draws from: the first delay that was not scattered, and the last one.
  private var first: Nanoseconds?
  private var previous: Nanoseconds = 0

  /// What of a server's delay counts, unless the bound is another one.
  package static var maximumHint: Duration { .seconds(86_400) }

  package init(_ backoff: Backoff) {
    self.backoff = backoff
    random = SplitMix64(seed: backoff.seed ?? .random(in: .min ... .max))
    reset()
  }

  package mutating func next() -> Duration? {
    nextDelay().map(Duration.nanoseconds)
  }

  /// The next delay, nil at the end: not shorter than what of the server's `hint` counts, which is
  /// `bound` at most.
  package mutating func nextDelay(
    hint: Nanoseconds? = nil, atMost bound: Duration = Self.maximumHint
  ) -> Nanoseconds? {
    let delay = next { Double.random(in: 0...1, using: &$0) }
    return delay.map { Swift.max($0, Swift.min(hint ?? 0, Nanoseconds(wait: bound))) }
  }

  /// The next delay for a given draw: 0 is the shortest that the jitter allows, 1 the longest.
  package mutating func next(draw: Double) -> Nanoseconds? { next { _ in draw } }

  /// Begins the run again; the draws go on.
  package mutating func reset() {
    taken = 0
    growth = 1
    first = nil
    if case .linear(let base, _) = backoff.shape { upcoming = base }
  }

  private mutating func next(_ draw: (inout SplitMix64) -> Double) -> Nanoseconds? {
    guard let computed = compute() else { return nil }
    taken = taken.adding(1)
    let plain = Swift.min(computed, backoff.cap)
    previous = Swift.min(scatter(plain, draw), backoff.cap)
    return previous
  }

  private mutating func compute() -> Nanoseconds? {
    switch backoff.shape {
    case .exponential(let base, let factor):
      defer { growth *= factor }
      return Self.scale(base, by: growth, atMost: backoff.cap)
    case .linear(_, let increment):
      defer { upcoming = upcoming.adding(increment) }
      return upcoming
    case .list(let delays):
      return taken < delays.count ? delays[taken] : nil
    case .custom(let custom):
      return custom.delay(taken.adding(1)).map(Nanoseconds.init(wait:))
    }
  }

  private mutating func scatter(
    _ plain: Nanoseconds, _ draw: (inout SplitMix64) -> Double
  ) -> Nanoseconds {
    let lower: Nanoseconds
    let upper: Nanoseconds
    switch backoff.jitter.kind {
    case .none: return plain
    case .full: (lower, upper) = (0, plain)
    case .equal: (lower, upper) = (plain / 2, plain)
    case .proportional:
      let ratio = backoff.jitter.ratio
      return Self.scale(plain, by: 1 - ratio + 2 * ratio * draw(&random))
    case .decorrelated:
      (lower, upper) = (first ?? plain, (first == nil ? plain : previous).multiplied(by: 3))
      first = lower
    }
    return upper <= lower ? lower : lower.adding(Self.scale(upper - lower, by: draw(&random)))
  }

  /// The product, rounded to the nearest, saturating; exact if the factor is 1.
  private static func scale(
    _ delay: Nanoseconds, by factor: Double, atMost limit: Nanoseconds = .never
  ) -> Nanoseconds {
    if factor == 1 || delay == 0 { return Swift.min(delay, limit) }
    let product = (Double(delay) * factor).rounded()
    return product < Double(limit) ? Nanoseconds(product) : limit
  }
}
