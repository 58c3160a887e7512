/// The deadlines of a timer: its period, its first tick, their number, and the policy for missed
/// ones.
///
/// ```swift
/// .every(.seconds(1))                          // for as long as the timer lives
/// .every(.seconds(1), first: .now, count: 5)   // five of them
/// .every(.seconds(60), first: .aligned)        // at each full minute of the wall clock
/// .every(.seconds(60), jitter: .seconds(5))    // each up to five seconds later
/// .once(after: .milliseconds(200))
/// ```
///
/// Every nth tick of a grid is a matter of the handler: `tick.index.isMultiple(of: n)`.
public struct TickSchedule: Hashable, Sendable {
  let period: Nanoseconds
  var first = FirstTick.afterPeriod
  var count: Int?
  var missed = MissedTicks.skip
  var jitter: Nanoseconds = 0
  var seed: UInt64?

  /// Whether it has nothing but a period, or is a single tick.
  var isPlain: Bool {
    (count ?? 1) == 1 && first == .afterPeriod && missed == .skip && jitter == 0
  }

  /// One tick in each period.
  ///
  /// - Parameters:
  ///   - period: The time from one tick to the next.
  ///   - first: The deadline of the first tick.
  ///   - count: The number of ticks to hand out, not counting missed ones; nil for no end.
  ///   - missed: The policy for ticks that could not be handed out in time.
  ///   - jitter: The maximum of a random delay, drawn for each tick; `scheduled` is its place on
  ///     the grid, which does not drift.
  ///   - seed: The seed of the jitter; nil for a random one.
  /// - Returns: The schedule.
  /// - Precondition: `period`, `count` and the limit of a burst are positive; `jitter` is not
  ///   negative, and shorter than the period.
  public static func every(
    _ period: Duration, first: FirstTick = .afterPeriod, count: Int? = nil,
    missed: MissedTicks = .skip, jitter: Duration = .zero, seed: UInt64? = nil
  ) -> TickSchedule {
    ConfigurationError.require(period > .zero, "every", period, must: "be positive")
    ConfigurationError.require(count ?? 1 > 0, "count", count ?? 1, must: "be positive")
    if case .burst(let limit) = missed {
      ConfigurationError.require(limit > 0, "limit", limit, must: "be positive")
    }
    ConfigurationError.require(
      jitter >= .zero && jitter < period, "jitter", jitter,
      must: "be shorter than the period, and not negative")
    return TickSchedule(
      period: Nanoseconds(roundingUp: period), first: first, count: count, missed: missed,
      jitter: Nanoseconds(roundingUp: jitter), seed: seed)
  }

  /// One tick, `delay` after the start; immediately if it is not positive.
  public static func once(after delay: Duration) -> TickSchedule {
    TickSchedule(period: Nanoseconds(wait: delay), count: 1)
  }

  /// One tick at an instant of the timer's clock; immediately if that has passed.
  public static func once(at instant: PacingInstant) -> TickSchedule {
    TickSchedule(period: .never, first: .at(instant), count: 1)
  }

  /// One tick at a time of the wall clock, since 1970 UTC; immediately if that has passed.
  public static func once(atWallTime time: Duration) -> TickSchedule {
    TickSchedule(period: .never, first: .atWallTime(time), count: 1)
  }
}
