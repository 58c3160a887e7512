/// Calls that may run user code, handed from the thread that queued them to the one that makes
/// them.
///
/// `make` removes the calls, so that what they capture is released on that thread, not with the
/// last reference to this object.
final class DeferredCalls: Sendable {
  private let calls: Locked<[WorkItem]>

  init(_ calls: [WorkItem]) {
    self.calls = Locked(calls)
  }

  func make() {
    let calls = calls.withLock { calls in
      defer { calls = [] }
      return calls
    }
    for call in calls { call() }
  }
}
