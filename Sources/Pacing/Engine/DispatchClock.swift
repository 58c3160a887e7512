/// The system's monotonic clock, with the one shared Dispatch timer behind it: every tool's
/// default.
///
/// It does not count the time during which the system sleeps; `.countingSleep` does.
///
/// A program that makes timers at the request of others can bound how many there are:
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

  /// Makes the clock; all that are made so are the same.
  public init() {
    self.init(.system)
  }

  /// Makes a clock with a count of its own, on which timers start only while there is room.
  ///
  /// `start()` and `resume()` of a `DispatchTimer` do nothing and return false where so many
  /// entries are pending, and one that is made by `scheduled` stays idle. Timers that start in the
  /// same instant may pass the bound by their number. Other tools and sleeps are counted and never
  /// refused.
  ///
  /// - Parameter maximumPending: How many entries may be pending.
  /// - Precondition: `maximumPending` is positive.
  public init(maximumPending: Int) {
    self = ConfigurationError.trapping { () throws(ConfigurationError) in
      try DispatchClock(validatingMaximumPending: maximumPending)
    }
  }

  /// Makes a clock with a bound that comes from outside the program.
  ///
  /// - Parameter maximumPending: How many entries may be pending.
  /// - Throws: `ConfigurationError` where it is not positive.
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
  /// The system's monotonic clock that goes on while the system sleeps.
  ///
  /// It is CLOCK_BOOTTIME on Linux and the continuous time of Apple's systems. What falls due
  /// during a sleep comes within a second of its end: Dispatch has no timer on such a clock, so the
  /// shared one looks every second, as long as something is pending here.
  public static var countingSleep: DispatchClock { DispatchClock.sleepCounter }

  /// The system's monotonic clock as of its last tick: for limits that decide very often.
  ///
  /// Reading it takes a fraction of the exact time's: it is CLOCK_MONOTONIC_COARSE on Linux, which
  /// moves in steps of 1–10 ms, 4 ms on most systems, and the approximate uptime on Apple's.
  ///
  /// ```swift
  /// let bucket = TokenBucket(rate: .perSecond(100_000), burst: 2_000, clock: .coarse)
  /// ```
  ///
  /// ## Timing
  /// It is late and never early, by less than a step. So a limit gives no token before its time;
  /// but what came due during a step comes at its end, and the tokens of a step may be granted
  /// together with those that follow it. Over every interval a bucket grants at most its burst and
  /// what comes in that interval and one step. Deadlines come up to two steps late, so timers and
  /// debouncers are better off with `.dispatch`.
  public static var coarse: DispatchClock { DispatchClock(.coarse) }
}
