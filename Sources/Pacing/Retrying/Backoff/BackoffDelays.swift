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

  /// The next delay; nil at the end.
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

  /// The delay after a failure for which the server named one.
  ///
  /// - Parameters:
  ///   - computed: The backoff's own delay.
  ///   - hint: What the server named; nil if it named nothing.
  ///   - hints: How a hint changes the delay.
  /// - Returns: The delay; nil if the hint is refused.
  package mutating func delay(
    computed: Nanoseconds, hint: Nanoseconds?, obeying hints: HintPolicy
  ) -> Nanoseconds? {
    guard let hint else { return computed }
    guard let delay = hints.delay(hint: hint, backoff: computed) else { return nil }
    if hints.resetsBackoff { reset() }
    return delay.adding(draws.uniform(from: 0, to: hints.spread))
  }

  /// Begins the run again; the draws go on.
  package mutating func reset() {
    run.reset()
  }
}
