/// When a timer ticks: its period, its first tick, and what happens to missed ones.
///
/// Make it with `init(validating:first:missed:)` from values that come from outside the program.
public struct TickSchedule: Hashable, Sendable {
  let period: Nanoseconds
  let first: FirstTick
  let missed: MissedTicks
  /// How many ticks there are, nil for no end.
  let count: Int?

  /// Makes a schedule from constants.
  ///
  /// - Parameters:
  ///   - period: The time from one tick to the next.
  ///   - first: When the first tick is due.
  ///   - missed: What is done about ticks that could not be handed out in time.
  /// - Precondition: `period` is positive.
  public init(
    every period: Duration, first: FirstTick = .afterPeriod, missed: MissedTicks = .skip
  ) {
    self = ConfigurationError.trapping { () throws(ConfigurationError) in
      try TickSchedule(validating: period, first: first, missed: missed)
    }
  }

  /// Makes a schedule from values that come from outside the program.
  ///
  /// - Parameters:
  ///   - period: The time from one tick to the next.
  ///   - first: When the first tick is due.
  ///   - missed: What is done about ticks that could not be handed out in time.
  /// - Throws: `ConfigurationError` where the period is not positive.
  public init(
    validating period: Duration, first: FirstTick = .afterPeriod, missed: MissedTicks = .skip
  ) throws(ConfigurationError) {
    guard period > .zero else { throw ConfigurationError("every", period, must: "be positive") }
    self.init(period: Nanoseconds(roundingUp: period), first: first, missed: missed, count: nil)
  }

  private init(period: Nanoseconds, first: FirstTick, missed: MissedTicks, count: Int?) {
    self.period = period
    self.first = first
    self.missed = missed
    self.count = count
  }

  /// One tick, that long after the start.
  static func once(after delay: Duration) -> TickSchedule {
    TickSchedule(period: .never, first: .after(delay), missed: .skip, count: 1)
  }
}
