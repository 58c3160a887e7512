/// The system's monotonic clock, with the one shared Dispatch timer behind it: every tool's default.
///
/// It does not count the time during which the system sleeps.
public struct DispatchClock: PacingClock {
  /// The process's one timer service.
  public var service: TimerService { .system }

  /// Makes the clock; all of them are the same.
  public init() {}
}

extension Clock where Self == DispatchClock {
  /// The system's monotonic clock, with the one shared Dispatch timer behind it.
  public static var dispatch: DispatchClock { DispatchClock() }
}
