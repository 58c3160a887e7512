/// A timeout's entry in the timer service: acts once, at its deadline, unless it is cleared first.
final class TimeoutAlarm: TimerTarget {
  private struct State {
    var entry: TimerService.Handle?
    var action: (@Sendable () -> Void)?
    var hasFired = false
    var isCleared = false
  }

  private let service: TimerService
  private let state = Locked(State())

  init(service: TimerService) {
    self.service = service
  }

  /// Sets the deadline; called once.
  func set(_ deadline: PacingInstant) {
    let isEarliest = state.withLock { state in
      guard !state.isCleared else { return false }
      let (handle, isEarliest) = service.schedule(self, at: deadline)
      state.entry = handle
      return isEarliest
    }
    if isEarliest { service.arm() }
  }

  /// Says what is done at the deadline, which may have passed.
  func whenFired(_ action: @escaping @Sendable () -> Void) {
    let hasFired = state.withLock { state in
      if !state.hasFired, !state.isCleared { state.action = action }
      return state.hasFired
    }
    if hasFired { action() }
  }

  /// Lets go of the entry and of the action.
  func clear() {
    let before = state.withLock { state in
      defer { state = State(isCleared: true) }
      return state
    }
    if let entry = before.entry { service.cancel(entry) }
  }

  func wake(_ handle: TimerService.Handle) {
    let action = state.withLock { state in
      state.entry = nil
      state.hasFired = !state.isCleared
      return state.action.take()
    }
    action?()
  }
}
