/// One run through a backoff's delays: an endless sequence.
///
/// ```swift
/// for delay in backoff.delays().prefix(5) { print(delay) }
/// ```
///
/// - Complexity: `next()` is O(1), and saturates instead of overflowing.
public struct BackoffDelays: Sequence, IteratorProtocol, Sendable {
  private let backoff: Backoff
  private var generator: SplitMix64
  /// factor^(k-1) for the next delay; infinite once it is beyond a `Double`.
  private var growth = 1.0
  /// What `decorrelated` draws from.
  private var previous: Nanoseconds

  package init(_ backoff: Backoff) {
    self.backoff = backoff
    generator = SplitMix64(seed: backoff.seed ?? .random(in: .min ... .max))
    previous = backoff.base
  }

  /// The next delay; there always is one.
  public mutating func next() -> Duration? {
    Duration(nanoseconds: nextDelay())
  }

  /// The next delay.
  package mutating func nextDelay() -> Nanoseconds {
    next(draw: backoff.jitter == .none ? 0 : .random(in: 0...1, using: &generator))
  }

  /// The next delay for a given draw: 0 is the shortest that the jitter allows, 1 the longest.
  package mutating func next(draw: Double) -> Nanoseconds {
    let plain = backoff.base.scaled(by: growth, atMost: backoff.cap)
    growth *= backoff.factor
    let delay =
      switch backoff.jitter.kind {
      case .none: plain
      case .full: uniform(draw, from: 0, to: plain)
      case .equal: uniform(draw, from: plain / 2, to: plain)
      case .proportional(let ratio): plain.scaled(by: 1 - ratio + 2 * ratio * draw)
      case .decorrelated: uniform(draw, from: backoff.base, to: previous.multiplied(by: 3))
      }
    previous = Swift.min(delay, backoff.cap)
    return previous
  }

  /// Begins the run again; the draws go on.
  package mutating func reset() {
    growth = 1
    previous = backoff.base
  }

  private func uniform(
    _ draw: Double, from lower: Nanoseconds, to upper: Nanoseconds
  ) -> Nanoseconds {
    upper <= lower ? lower : lower.adding((upper - lower).scaled(by: draw))
  }
}

extension Nanoseconds {
  /// The product, rounded to the nearest, saturating; exact where the factor is 1.
  fileprivate func scaled(by factor: Double, atMost limit: Nanoseconds = .never) -> Nanoseconds {
    if factor == 1 || self == 0 { return Swift.min(self, limit) }
    let product = (Double(self) * factor).rounded()
    return product < Double(limit) ? Nanoseconds(product) : limit
  }
}
