/// A timeout: acts once, at its deadline, unless it is cleared first.
///
/// ## Concurrency
/// Thread-safe. The action may run user code, such as a cancellation handler that blocks, so it
/// runs at a place of its own and never on the timer's thread.
final class TimeoutAlarm: TimerTarget {
  private enum End {
    case elapsed
    case cleared
  }

  private let service: TimerService
  private let place: Place
  private let entry = LockedTimerEntry()
  private let state = Locked(OneShotState<End, WorkItem>.empty)

  /// - Parameters:
  ///   - service: The service that decides when.
  ///   - place: Where the action runs.
  init(service: TimerService, on place: Place = .shared) {
    self.service = service
    self.place = place
  }

  /// Sets the deadline; called once.
  func set(_ deadline: PacingInstant) {
    entry.set(deadline, for: self, in: service)
    // Cleared before there was an entry to release.
    if state.withLock({ $0.isResolved }) { entry.set(.distantFuture, for: self, in: service) }
  }

  /// Sets the action; called once.
  ///
  /// If the deadline has passed, the caller runs it.
  func whenFired(_ action: @escaping @Sendable () -> Void) {
    let hasElapsed = state.withLock { $0.wait(WorkItem(action)) } == .elapsed
    if hasElapsed { action() }
  }

  /// Whether the deadline has come before the alarm was cleared.
  var hasElapsed: Bool {
    state.withLock { if case .resolved(.elapsed) = $0 { true } else { false } }
  }

  /// Releases the entry and the action.
  func clear() {
    let cleared = state.withLock { $0.resolve(.cleared) }
    entry.set(.distantFuture, for: self, in: service)
    withExtendedLifetime(cleared) {}
  }

  func wake(_ handle: TimerService.Handle) {
    entry.fired(handle)
    guard case .first(let action?) = state.withLock({ $0.resolve(.elapsed) }) else { return }
    place.perform(in: service) { action() }
  }
}
