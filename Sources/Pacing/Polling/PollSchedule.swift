/// When something is polled: at a period, with jitter, slower after failures, never two at a time.
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
/// poll runs is passed over, and counted in the next poll's `tick.missed`: the next poll comes at
/// the first instant of the grid that is left. After a failure the next poll comes after the
/// backoff's next delay, or on the grid if that is later; the grid restarts there, and the
/// backoff after a success. A delay that the server names counts in the same way, after a result
/// too. So nothing is polled faster than the period. A grid that begins at a time of the wall
/// clock follows it when it is set, and one that is `aligned` stays aligned after a backoff.
public struct PollSchedule: Sendable {
  let ticks: TickSchedule
  let backoff: Backoff
  private(set) var maximumHint = BackoffDelays.maximumHint
  private(set) var limit: (any AwaitableLimit)?

  /// Creates a schedule.
  ///
  /// - Parameters:
  ///   - period: The time from one poll to the next.
  ///   - first: When the first poll is due; immediately unless specified otherwise.
  ///   - jitter: The most that each poll is late at random, so that many pollers that began
  ///     together do not poll together; the grid stays.
  ///   - backoff: How long to wait after failures in a row; polling ends if it ends.
  ///   - seed: The seed of the jitter's draws, the same draws in every run; nil for a random one.
  /// - Precondition: `period` is positive; `jitter` is not negative, and shorter than the period.
  public init(
    every period: Duration, first: FirstTick = .now, jitter: Duration = .zero,
    slowing backoff: Backoff = .none, seed: UInt64? = nil
  ) {
    ticks = .every(period, first: first, jitter: jitter, seed: seed)
    self.backoff = backoff
  }

  /// This schedule with another bound on the delays that a server names than 24 hours, as
  /// ``RetryPolicy/obeyingHints(atMost:)``.
  public func obeyingHints(atMost bound: Duration) -> PollSchedule {
    changing(self) { $0.maximumHint = bound }
  }

  /// This schedule within a limit that others may share: each poll takes a token, and waits for
  /// its turn.
  ///
  /// The limit follows the same clock. A poll that it refuses is missed, whatever it throws; only
  /// closing it, an ``AcquireError/closed``, ends the polling.
  public func limited(by limit: some AwaitableLimit) -> PollSchedule {
    changing(self) { $0.limit = limit }
  }
}
