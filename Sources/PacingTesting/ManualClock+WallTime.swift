internal import Pacing

extension ManualClock {
  /// What the wall clock shows, since 1970-01-01 UTC; the same as `now`, until it is set.
  ///
  /// Timers that follow the wall clock notice that it was set within a second of the clock's time,
  /// as they do on a real one.
  public var wallTime: Duration {
    get { Duration(nanoseconds: now.nanoseconds.adding(time.wallOffset)) }
    set { time.wallOffset = Nanoseconds(roundingUp: newValue).adding(now.nanoseconds.negated) }
  }
}
