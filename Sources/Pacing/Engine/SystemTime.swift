/// Another reading of the system's time, woken by the system's one service, so that there is no
/// second Dispatch source.
final class SystemTime: Timekeeper, Waker, TimerTarget {
  enum Reading {
    /// Time that continues while the system sleeps.
    case countingSleep
    /// The last tick on the time of the system's service.
    case coarse
  }

  private let reading: Reading
  private let service: TimerService
  private let entry = LockedTimerEntry()
  private let action = Locked<WorkItem?>(nil)

  /// The longest time for which a sleep of the system goes unnoticed.
  private static var longestWait: Nanoseconds { 1_000_000_000 }

  init(_ reading: Reading, service: TimerService = .system) {
    self.reading = reading
    self.service = service
  }

  var now: PacingInstant {
    switch reading {
    case .countingSleep: Platform.nowCountingSleep
    case .coarse: Platform.lastTick
    }
  }

  func activate(_ wake: @escaping @Sendable () -> Void) {
    action.withLock { $0 = WorkItem(wake) }
  }

  func set(_ deadline: PacingInstant) {
    let instant: PacingInstant
    switch reading {
    case .countingSleep: instant = service.now + min(deadline - now, Self.longestWait)
    // The first tick at or after the deadline comes within one step of it.
    case .coarse: instant = max(deadline, service.now) + Platform.tickLength
    }
    entry.set(instant, for: self, in: service)
  }

  func wake(_ handle: TimerService.Handle) {
    entry.fired(handle)
    action.withLock { $0 }?()
  }
}
