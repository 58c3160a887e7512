/// When something is polled: every so often, scattered, slower on failure, and never two at a time.
///
/// ```swift
/// let schedule = PollSchedule(
///   every: .seconds(5), jitter: .milliseconds(500),
///   slowing: .exponential(from: .seconds(10)).capped(at: .seconds(300)))
/// for await poll in schedule.results({ try await fetchStatus() }) { show(poll.result) }
/// ```
///
/// A period of three steps; `!` is a failure, after which the backoff waits for four steps and
/// eight:
///
///     server  oooooo!!!!!!!!!!ooooooooo
///     polls   o--o--!---!-------o--o--o
///
/// ## Timing
/// Polls are due on a grid, `start + k * period`, each up to `jitter` later. What falls due while a
/// poll runs is passed over, and counted in the next poll's `tick.missed`: the next one comes at
/// the first instant of the grid that is left. After a failure the next poll comes after the
/// backoff's next delay, or on the grid where that is later; the grid begins anew there, and the
/// backoff after a success. A delay that the server names is obeyed in the same way, after a result
/// too. So nothing is polled faster than the period.
public struct PollSchedule: Sendable {
  let ticks: TickSchedule
  let backoff: Backoff
  var hints = HintPolicy.obeyed
  var advice: @Sendable (any Error) -> RetryAdvice? = { _ in nil }
  var limit: (any LimitingTool)?

  /// Makes a schedule.
  ///
  /// - Parameters:
  ///   - period: The time from one poll to the next.
  ///   - first: When the first poll is due; at once unless said otherwise.
  ///   - jitter: How much later each poll may come, by chance, so that many who began together do
  ///     not poll together; the grid stays.
  ///   - backoff: How long to wait after failures in a row; where it ends, polling ends.
  ///   - seed: Makes the draws of the jitter the same in every run; nil for others each time.
  /// - Precondition: `period` is positive; `jitter` is not negative, and shorter than the period.
  public init(
    every period: Duration, first: FirstTick = .now, jitter: Duration = .zero,
    slowing backoff: Backoff = .none, seed: UInt64? = nil
  ) {
    self = ConfigurationError.trapping { () throws(ConfigurationError) in
      try PollSchedule(
        validating: period, first: first, jitter: jitter, slowing: backoff, seed: seed)
    }
  }

  /// Makes a schedule from settings that are not part of the program.
  ///
  /// - Parameters:
  ///   - period: The time from one poll to the next.
  ///   - first: When the first poll is due.
  ///   - jitter: How much later each poll may come, by chance.
  ///   - backoff: How long to wait after failures in a row; where it ends, polling ends.
  ///   - seed: Makes the draws of the jitter the same in every run; nil for others each time.
  /// - Throws: `ConfigurationError` where `period` is not positive, or `jitter` is negative or not
  ///   shorter than the period.
  public init(
    validating period: Duration, first: FirstTick = .now, jitter: Duration = .zero,
    slowing backoff: Backoff = .none, seed: UInt64? = nil
  ) throws(ConfigurationError) {
    ticks = try TickSchedule(validating: period, first: first, jitter: jitter, seed: seed)
    self.backoff = backoff
  }

  /// This schedule with another rule for the delays that a server names.
  ///
  /// - Parameter hints: What becomes of them; a refused one ends the polling.
  /// - Returns: The changed copy.
  public func obeying(_ hints: HintPolicy) -> PollSchedule {
    var copy = self
    copy.hints = hints
    return copy
  }

  /// This schedule with advice on errors that do not bring their own.
  ///
  /// - Parameter advice: What is to be done about an error; nil for what it says itself.
  /// - Returns: The changed copy.
  public func advised(
    by advice: @escaping @Sendable (any Error) -> RetryAdvice?
  ) -> PollSchedule {
    var copy = self
    copy.advice = advice
    return copy
  }

  /// This schedule for those who share a rate: each poll takes a token, and waits for its turn.
  ///
  /// - Parameter limit: What the tokens are taken from; it follows the same clock.
  /// - Returns: The changed copy.
  public func limited(by limit: some LimitingTool) -> PollSchedule {
    var copy = self
    copy.limit = limit
    return copy
  }
}
