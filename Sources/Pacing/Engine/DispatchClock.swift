/// The system's monotonic clock, with the one shared Dispatch timer behind it: every tool's
/// default.
///
/// It does not count the time during which the system sleeps; `.countingSleep` does.
///
/// A program that makes timers on behalf of its clients can bound their number:
///
/// ```swift
/// let clock = DispatchClock(maximumPending: 10_000)
/// let timer = DispatchTimer(.once(after: .seconds(30)), clock: clock) { _ in expire() }
/// if !timer.start() { refuse() }
/// ```
public struct DispatchClock: PacingClock {
  /// The timer service that the clock's tools share.
  public let _core: _ClockCore

  fileprivate init(_ service: TimerService) {
    _core = _ClockCore(service)
  }

  /// Makes the clock; all clocks made this way are the same.
  public init() {
    self.init(.system)
  }

  /// Makes a clock with a bound, on which timers start only while there is room.
  ///
  /// `start()` and `resume()` of a ``DispatchTimer`` are no-ops that return false while
  /// `maximumPending` entries are pending, and a timer made by `scheduled` stays idle. Timers that
  /// start concurrently may exceed the bound by their number. Other tools and sleeps are counted
  /// and never refused.
  ///
  /// - Parameter maximumPending: How many entries may be pending.
  /// - Precondition: `maximumPending` is positive.
  public init(maximumPending: Int) {
    self = ConfigurationError.trapping(try DispatchClock(validatingMaximumPending: maximumPending))
  }

  /// Makes a clock with a bound known only at run time.
  ///
  /// - Parameter maximumPending: How many entries may be pending.
  /// - Throws: ``ConfigurationError`` if `maximumPending` is not positive.
  public init(validatingMaximumPending maximumPending: Int) throws(ConfigurationError) {
    guard maximumPending > 0 else {
      throw ConfigurationError("maximumPending", maximumPending, must: "be positive")
    }
    self.init(TimerService(SystemTime(.uptime), limit: maximumPending))
  }

  fileprivate static let sleepCounter = DispatchClock(TimerService(SystemTime(.countingSleep)))
}

extension Clock where Self == DispatchClock {
  /// The system's monotonic clock, with the one shared Dispatch timer behind it.
  public static var dispatch: DispatchClock { DispatchClock() }
}

extension PacingClock where Self == DispatchClock {
  /// The system's monotonic clock that continues while the system sleeps.
  ///
  /// It is CLOCK_BOOTTIME on Linux and the continuous time of Apple's systems. What falls due
  /// during a sleep fires within a second of its end: Dispatch has no timer on such a clock, so the
  /// shared one checks every second while something is pending here.
  public static var countingSleep: DispatchClock { DispatchClock.sleepCounter }

  /// The system's monotonic clock as of its last tick, for limits that decide very often.
  ///
  /// Reading it takes a fraction of the time of an exact reading. It is CLOCK_MONOTONIC_COARSE on
  /// Linux, which moves in steps of 1–10 ms, 4 ms on most systems, and the approximate uptime on
  /// Apple's systems.
  ///
  /// ```swift
  /// let bucket = TokenBucket(rate: .perSecond(100_000), burst: 2_000, clock: .coarse)
  /// ```
  ///
  /// ## Timing
  /// Readings are late by less than a step and never early. So a limit grants no token before its
  /// time, but tokens that come due during a step are granted at its end, possibly together with
  /// later ones. Over every interval a bucket grants at most its burst and the tokens of that
  /// interval and one step. Deadlines fire up to two steps late, so use `.dispatch` for timers and
  /// debouncers.
  public static var coarse: DispatchClock { DispatchClock(.coarse) }
}
