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
/// `init(validating:…)` makes one from values known only at run time.
public struct TickSchedule: Hashable, Sendable {
  let period: Nanoseconds
  let first: FirstTick
  /// The number of ticks; nil for no end.
  let count: Int?
  let missed: MissedTicks
  let divisor: Int
  let jitter: Nanoseconds
  let seed: UInt64?

  /// Whether it has nothing but a period, or is a single tick.
  var isPlain: Bool {
    (count ?? 1) == 1 && first == .afterPeriod && missed == .skip && divisor == 1 && jitter == 0
  }

  /// Makes a schedule from values known only at run time; `every(_:)` documents them.
  ///
  /// - Throws: ``ConfigurationError`` if the period or the count is not positive, or the jitter is
  ///   negative or not shorter than the period.
  public init(
    validating period: Duration, first: FirstTick = .afterPeriod, count: Int? = nil,
    missed: MissedTicks = .skip, delivering divider: TickDivider = .all, jitter: Duration = .zero,
    seed: UInt64? = nil
  ) throws(ConfigurationError) {
    guard period > .zero else { throw ConfigurationError("every", period, must: "be positive") }
    if let count, count <= 0 { throw ConfigurationError("count", count, must: "be positive") }
    guard jitter >= .zero, jitter < period else {
      throw ConfigurationError(
        "jitter", jitter, must: "be shorter than the period, and not negative")
    }
    self.init(
      period: Nanoseconds(roundingUp: period), first: first, count: count, missed: missed,
      divisor: divider.divisor, jitter: Nanoseconds(roundingUp: jitter), seed: seed)
  }

  private init(
    period: Nanoseconds, first: FirstTick, count: Int?, missed: MissedTicks = .skip,
    divisor: Int = 1, jitter: Nanoseconds = 0, seed: UInt64? = nil
  ) {
    self.period = period
    self.first = first
    self.count = count
    self.missed = missed
    self.divisor = divisor
    self.jitter = jitter
    self.seed = seed
  }

  /// One tick in each period.
  ///
  /// With jitter, a tick is due up to that much after its place on the grid; `scheduled` is the
  /// place on the grid, which does not drift.
  ///
  /// - Parameters:
  ///   - period: The time from one tick to the next.
  ///   - first: The deadline of the first tick.
  ///   - count: The number of ticks to hand out, not counting missed ones; nil for no end.
  ///   - missed: The policy for ticks that could not be handed out in time.
  ///   - divider: The ticks of the grid that are handed out.
  ///   - jitter: The maximum of a random delay, drawn for each tick.
  ///   - seed: The seed of the jitter; nil for a random one.
  /// - Returns: The schedule.
  /// - Precondition: `period` and `count` are positive; `jitter` is not negative, and shorter than
  ///   the period.
  public static func every(
    _ period: Duration, first: FirstTick = .afterPeriod, count: Int? = nil,
    missed: MissedTicks = .skip, delivering divider: TickDivider = .all, jitter: Duration = .zero,
    seed: UInt64? = nil
  ) -> TickSchedule {
    ConfigurationError.trapping(
      try TickSchedule(
        validating: period, first: first, count: count, missed: missed, delivering: divider,
        jitter: jitter, seed: seed))
  }

  /// One tick, `delay` after the start; immediately if it is not positive.
  public static func once(after delay: Duration) -> TickSchedule {
    TickSchedule(period: Nanoseconds(wait: delay), first: .afterPeriod, count: 1)
  }

  /// One tick at an instant of the timer's clock; immediately if that has passed.
  public static func once(at instant: PacingInstant) -> TickSchedule {
    TickSchedule(period: .never, first: .at(instant), count: 1)
  }

  /// One tick at a time of the wall clock, since 1970 UTC; immediately if that has passed.
  public static func once(atWallTime time: Duration) -> TickSchedule {
    TickSchedule(period: .never, first: .at(wallTime: time), count: 1)
  }
}
