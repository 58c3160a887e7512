/// Any clock whose durations are `Duration`, adapted for the library's tools.
///
/// ```swift
/// let clock = AdaptedClock.adapting(ContinuousClock())
/// let timer = DispatchTimer.scheduled(every: .seconds(1), clock: clock) { print($0) }
/// ```
///
/// Use it for another library's test clock, or for a clock of your own. For time that includes the
/// system's sleep use `.countingSleep`, which needs no task.
///
/// ## Timing
/// Each adapter has a timer service of its own, and a task that sleeps until the earliest deadline
/// of all the tools on it; a few tasks for farther deadlines may sleep on meanwhile. Wakes are late
/// by as much as the clock's own sleeps are. A clock whose `sleep` throws, unless its task was
/// cancelled, wakes nothing.
///
/// ## Concurrency
/// Thread-safe. Make one adapter and share it: each call of `adapting(_:)` makes another service.
/// Instants count from the moment at which the adapter was made.
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
  /// A clock of any kind, adapted for the library's tools.
  public static func adapting(_ clock: some Clock<Duration>) -> AdaptedClock {
    AdaptedClock(clock)
  }
}
