/// The settings and the state that only some timers need.
struct TickExtras: Sendable {
  /// The schedule's settings other than its period.
  var first = FirstTick.afterPeriod
  var missed = MissedTicks.skip
  var divisor = 1
  var jitter: Nanoseconds = 0
  var count: Int?

  var random = SplitMix64(seed: 0)
  /// The jitter of the next tick.
  var scatter: Nanoseconds = 0
  /// The rest of the interval at the suspension; `never` if it was not to be kept.
  var kept = Nanoseconds.never
  /// The instant at which a tick outside the grid was asked for; `distantFuture` if none was.
  var extra = PacingInstant.distantFuture
  /// Whether the next tick of the grid is at an instant that was asked for.
  var isAtInstant = false
  /// The wall time at the clock's origin, if the timer follows the wall clock.
  var wallOffset: Nanoseconds?

  init() {}

  init(_ schedule: TickSchedule) {
    first = schedule.first
    missed = schedule.missed
    divisor = schedule.divisor
    jitter = schedule.jitter
    count = schedule.count
    if jitter > 0 { random = SplitMix64(seed: schedule.seed ?? .random(in: .min ... .max)) }
  }
}
