/// The system's monotonic clock, with the one shared Dispatch timer behind it: every tool's
/// default.
///
/// It does not count the time during which the system sleeps; `.countingSleep` does. It is also a
/// `Clock`, so a program's own sleeps can follow it.
///
/// ## Concurrency
/// Thread-safe. Cancelling a task ends its sleep and frees the sleep's memory at that moment.
public struct DispatchClock: PacingClock {
  /// Nil for that of the default clock, whose copies then count no references.
  private let own: TimerService?

  package var timers: TimerService { own ?? .system }

  /// Creates the clock; all clocks made this way are the same.
  public init() { own = nil }

  fileprivate init(_ timers: TimerService) { own = timers }

  /// A clock with a service of its own, for tests that count entries on the system's time.
  package static func apart() -> DispatchClock {
    DispatchClock(TimerService(SystemTime(.countingSleep)))
  }

  fileprivate static let sleepCounter = DispatchClock(TimerService(SystemTime(.countingSleep)))

  /// Suspends the task for a duration, or until it is cancelled; returns at once if the duration is
  /// not positive.
  ///
  /// It stands in for the standard library's method, whose cancellation aborts the process in some
  /// release builds of Swift 6.3. Tolerance and errors are those of `sleep(until:tolerance:)`.
  public func sleep(for duration: Duration, tolerance: Duration? = nil) async throws {
    try await sleep(until: now.advanced(by: duration), tolerance: tolerance)
  }

  /// The number of pending entries of timers, tools and sleeps on this clock.
  ///
  /// A running timer has one, and a second one if it follows the wall clock. A tool that is
  /// suspended, or whose values are cancelled, keeps its entry until the old deadline.
  public var pendingCount: Int { timers.pendingCount }
}

extension Clock where Self == DispatchClock {
  /// The system's monotonic clock, with the one shared Dispatch timer behind it.
  public static var dispatch: DispatchClock { DispatchClock() }

  /// The system's monotonic clock that continues while the system sleeps.
  ///
  /// It is CLOCK_BOOTTIME on Linux and the continuous time of Apple's systems. What falls due
  /// during a sleep fires within a second of its end: Dispatch has no timer on such a clock, so the
  /// shared one checks every second while something is pending here.
  public static var countingSleep: DispatchClock { DispatchClock.sleepCounter }

  /// The system's monotonic clock as of its last tick, for limits that decide very often.
  ///
  /// It is CLOCK_MONOTONIC_COARSE on Linux, which moves in steps of 1–10 ms, mostly 4, and the
  /// approximate uptime on Apple's systems. Reading it takes a fraction of the time of `.dispatch`.
  ///
  /// ```swift
  /// let bucket = TokenBucket(rate: .perSecond(100_000), burst: 2_000, clock: .coarse)
  /// ```
  ///
  /// ## Timing
  /// Readings are late by less than a step and never early: over every interval a bucket grants at
  /// most its burst and the tokens of that interval and one step. By an exact clock, deadlines fire
  /// up to a step early and two steps late, so use `.dispatch` for timers and debouncers.
  public static var coarse: DispatchClock { DispatchClock(.coarse) }
}
