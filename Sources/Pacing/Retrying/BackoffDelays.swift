/// One run through a backoff's delays, as a sequence.
///
/// ```swift
/// for delay in backoff.delays().prefix(5) { print(delay) }
/// ```
///
/// - Complexity: `next()` is O(1) in time and memory for each backoff that it is made of, and saturates
///   instead of overflowing.
public struct BackoffDelays: Sequence, IteratorProtocol, Sendable {
  private var run: BackoffRun
  private var draws: Draws

  package init(_ backoff: Backoff) {
    run = BackoffRun(backoff)
    draws = Draws(seed: backoff.seed ?? .random(in: .min ... .max))
  }

  /// The next delay; nil at the end, where there is one.
  public mutating func next() -> Duration? {
    nextDelay().map(Duration.init(nanoseconds:))
  }

  /// The next delay.
  package mutating func nextDelay() -> Nanoseconds? {
    run.next(&draws)
  }

  /// The next delay for a given draw: 0 is the shortest that the jitter allows, 1 the longest.
  package mutating func next(draw: Double) -> Nanoseconds? {
    var fixed = Draws(fixed: draw)
    return run.next(&fixed)
  }

  /// Begins the run again; the draws go on.
  package mutating func reset() {
    run.reset()
  }
}

/// Where the random numbers of a run come from.
struct Draws: Sendable {
  private var generator: SplitMix64
  private var fixed: Double?

  init(seed: UInt64) {
    generator = SplitMix64(seed: seed)
  }

  /// The same number for every draw.
  init(fixed: Double) {
    generator = SplitMix64(seed: 0)
    self.fixed = fixed
  }

  /// A number in `0...1`.
  mutating func next() -> Double {
    fixed ?? .random(in: 0...1, using: &generator)
  }

  /// Whether a seed counts beside them.
  var isFixed: Bool { fixed != nil }

  /// A delay between two.
  mutating func uniform(from lower: Nanoseconds, to upper: Nanoseconds) -> Nanoseconds {
    upper <= lower ? lower : lower.adding((upper - lower).scaled(by: next()))
  }
}

extension Nanoseconds {
  /// The product, rounded to the nearest, saturating; exact where the factor is 1.
  func scaled(by factor: Double, atMost limit: Nanoseconds = .never) -> Nanoseconds {
    if factor == 1 || self == 0 { return Swift.min(self, limit) }
    let product = (Double(self) * factor).rounded()
    return product < Double(limit) ? Nanoseconds(product) : limit
  }
}
