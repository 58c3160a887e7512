/// One run through a backoff's delays, as a sequence.
///
/// ```swift
/// for delay in backoff.delays().prefix(5) { print(delay) }
/// ```
///
/// - Complexity: `next()` is O(1) in time and memory for each backoff that it is made of, and
///   saturates instead of overflowing.
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
