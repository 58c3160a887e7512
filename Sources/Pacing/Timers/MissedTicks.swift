/// The policy for ticks that a timer could not hand out in time.
///
/// A tick is missed if the next one is due before it was handed out. A period of four steps, and a
/// machine that is busy from step 5 to step 13:
///
///     grid       0---1---2---3---4---5---6
///     skip       0---1--------2--4---5---6  the overdue one, then back to the grid
///     coalesce   0---1--------3--4---5---6  one that stands for all of them
///     delay      0---1--------2---3---4---  the grid restarts at the late tick
///     burst      0---1--------23-4---5---6  each of them, back to back
public enum MissedTicks: Hashable, Sendable {
  /// Hands out the overdue tick with its own deadline, then continues at the next deadline.
  case skip

  /// Hands out the overdue tick and restarts the grid one period after it; no index is skipped.
  case delay

  /// Hands out the newest `limit` overdue ticks, back to back; the first of them counts the others.
  /// With a jitter one more may have fallen due. The limit must be positive.
  case burst(limit: Int)

  /// Hands out one tick with the latest overdue deadline; `missed` counts the others.
  public static var coalesce: MissedTicks { .burst(limit: 1) }

  /// Hands out every overdue tick, back to back.
  public static var burst: MissedTicks { .burst(limit: .max) }
}
