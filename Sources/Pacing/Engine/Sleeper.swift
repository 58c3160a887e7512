/// One task's sleep: an entry in the timer service and a continuation.
final class Sleeper: TimerTarget {
  private enum State {
    case idle
    case sleeping(CheckedContinuation<Void, any Error>, TimerService.Handle)
    case ended
  }

  private let service: TimerService
  /// The handler that sleeps, where time is manual.
  private let handler: HandlerTask?
  private let state = Locked(State.idle)

  init(service: TimerService) {
    self.service = service
    handler = service.manual == nil ? nil : HandlerTask.current
  }

  func sleep(until deadline: PacingInstant, tolerance: Nanoseconds) async throws {
    try Task.checkCancellation()
    guard service.now < deadline else { return }
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        begin(continuation, until: deadline, tolerance: tolerance)
      }
    } onCancel: {
      end(throwing: CancellationError())
    }
  }

  func wake(_ handle: TimerService.Handle) {
    end(throwing: nil)
  }

  private func begin(
    _ continuation: CheckedContinuation<Void, any Error>, until deadline: PacingInstant,
    tolerance: Nanoseconds
  ) {
    let isEarliest: Bool? = state.withLock { state in
      guard case .idle = state else { return nil }
      let (handle, isEarliest) = service.schedule(self, at: deadline, tolerance: tolerance)
      state = .sleeping(continuation, handle)
      return isEarliest
    }
    guard let isEarliest else {
      continuation.resume(throwing: CancellationError())
      return
    }
    if isEarliest { service.arm() }
    service.manual?.park(handler)
  }

  /// Ends the sleep before its time, or at it.
  func end(throwing error: CancellationError?) {
    let ended = state.withLock { state in
      defer { state = .ended }
      return state
    }
    guard case .sleeping(let continuation, let handle) = ended else { return }
    service.manual?.unpark(handler)
    if let error {
      service.cancel(handle)
      continuation.resume(throwing: error)
    } else {
      continuation.resume()
    }
  }
}
