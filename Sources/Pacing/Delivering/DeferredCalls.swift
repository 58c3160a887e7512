/// Calls that run a user's code, or may: handed from the thread that left them to one that makes
/// them.
///
/// Whoever makes the calls takes them out, so that what they hold goes there too, and not with the
/// last reference to this.
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
