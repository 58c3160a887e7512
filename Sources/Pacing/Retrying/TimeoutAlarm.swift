/// A timeout's entry in the timer service: calls once, at its deadline, unless it is cleared first.
final class TimeoutAlarm: TimerTarget {
  private let service: TimerService
  private let action: @Sendable () -> Void
  private let entry = Locked<TimerService.Handle?>(nil)

  init(service: TimerService, action: @escaping @Sendable () -> Void) {
    self.service = service
    self.action = action
  }

  func set(_ deadline: PacingInstant) {
    let isEarliest = entry.withLock { entry in
      let (handle, isEarliest) = service.schedule(self, at: deadline)
      entry = handle
      return isEarliest
    }
    if isEarliest { service.arm() }
  }

  func clear() {
    let handle = entry.withLock { $0.take() }
    if let handle { service.cancel(handle) }
  }

  func wake(_ handle: TimerService.Handle) {
    action()
  }
}
