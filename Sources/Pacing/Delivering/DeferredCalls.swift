/// Calls that may run a user's code, handed from the thread that left them to one that makes them.
///
/// `make` takes the calls out, so that what they hold is released where they are made, and not with
/// the last reference to this object.
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
