internal import Pacing

extension ManualClock {
  /// The wall clock's time since 1970-01-01 UTC; equal to `now` until it is set.
  ///
  /// Timers that follow the wall clock notice the change within one second of the clock's time, as
  /// they do on a real clock.
  public var wallTime: Duration {
    get { Duration.nanoseconds(now.nanoseconds.adding(time.wallOffset)) }
    set { time.wallOffset = Nanoseconds(roundingUp: newValue).adding(now.nanoseconds.negated) }
  }
}
