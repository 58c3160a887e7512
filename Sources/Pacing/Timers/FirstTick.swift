/// The deadline of a timer's first tick, and with it the phase of the grid.
///
/// Wall times are durations since 1970-01-01 00:00 UTC. A timer that begins at a wall time follows
/// the wall clock: when that is set, or the system has slept, the grid moves within a second. Ticks
/// that become overdue by that are missed ticks.
public enum FirstTick: Hashable, Sendable {
  /// One period after the start: the default.
  case afterPeriod

  /// A duration after the start; immediately if it is not positive.
  case after(Duration)

  /// At an instant of the timer's clock; immediately if that has passed.
  case at(PacingInstant)

  /// At a time of the wall clock, since 1970 UTC; immediately if that has passed.
  case atWallTime(Duration)

  /// `offset` after each full period of the wall clock, in UTC: with a period of a day and an
  /// offset of three hours, at 3:00 UTC each day.
  case aligned(offset: Duration)

  /// At the start.
  public static var now: FirstTick { .after(.zero) }

  /// At the next full period of the wall clock: with a period of a minute, at each full minute.
  public static var aligned: FirstTick { .aligned(offset: .zero) }

  /// Whether each tick, not only the first, is at a full period of the wall clock.
  var isAligned: Bool { if case .aligned = self { true } else { false } }

  var followsWallClock: Bool {
    if case .atWallTime = self { true } else { isAligned }
  }

  /// The first deadline at or after the start; `wallOffset` is the wall time at the origin of the
  /// timer's clock.
  func deadline(
    startingAt start: PacingInstant, period: Nanoseconds, wallOffset: Nanoseconds
  ) -> PacingInstant {
    switch self {
    case .afterPeriod: return start + period
    case .after(let delay): return start + Nanoseconds(wait: delay)
    case .at(let instant): return max(start, instant)
    case .atWallTime(let time):
      return max(start, PacingInstant(nanoseconds: Nanoseconds(roundingUp: time)) - wallOffset)
    case .aligned(let offset):
      // The zero of the timer's clock stands for `wallOffset` on the wall's.
      let sinceFull = (start + wallOffset).nanoseconds
        .adding(Nanoseconds(roundingUp: offset).negated)
        .remainder(dividingBy: period)
      return start + (sinceFull == 0 ? 0 : period - sinceFull)
    }
  }
}
