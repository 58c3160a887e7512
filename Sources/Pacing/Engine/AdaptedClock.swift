/// Any clock whose durations are `Duration`, as a clock on which the library's tools can stand.
///
/// ```swift
/// let clock = AdaptedClock.adapting(ContinuousClock())
/// let timer = DispatchTimer.scheduled(every: .seconds(1), clock: clock) { print($0) }
/// ```
///
/// Use it for a test clock of another library, or for a clock of your own. For time that counts the
/// system's sleep there is `.countingSleep`, which needs no task.
///
/// ## Timing
/// Each adapter has a timer service of its own, and one task that sleeps until the earliest
/// deadline of all the tools on it. What the clock's own sleep is late by comes on top. A clock
/// whose `sleep` throws, unless its task was cancelled, wakes nothing.
///
/// ## Concurrency
/// Make one adapter and share it: each call of `adapting(_:)` makes another service. Instants count
/// from the moment at which the adapter was made.
public struct AdaptedClock: PacingClock {
  /// The adapter's timer service.
  public let _core: _ClockCore

  /// Makes a service that follows a clock.
  ///
  /// - Parameter clock: The clock to follow.
  public init(_ clock: some Clock<Duration>) {
    _core = _ClockCore(TimerService(SleepingTask(clock)))
  }
}

extension PacingClock where Self == AdaptedClock {
  /// A clock of any kind, made to carry the library's tools.
  public static func adapting(_ clock: some Clock<Duration>) -> AdaptedClock {
    AdaptedClock(clock)
  }
}
