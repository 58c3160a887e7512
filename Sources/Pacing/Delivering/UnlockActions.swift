/// What a call under a tool's lock leaves to do after unlocking.
struct UnlockActions {
  /// What few calls leave to do: the others pay for one word.
  ///
  /// One thread uses it, which makes dynamic exclusivity checks redundant.
  private final class Rest {
    /// The tasks to resume.
    @exclusivity(unchecked) var resumptions = FIFO<WorkItem>()
    /// Calls that may run user code.
    @exclusivity(unchecked) var calls = FIFO<WorkItem>()
    /// Whether some of them are the library's threads' to make.
    @exclusivity(unchecked) var hasReports = false
  }

  /// The number of deliveries to begin.
  var beginningCount: Int32 = 0
  private var rest: Rest?

  /// Whether there is nothing to do, which is usual on the hot path.
  @inline(__always)
  var isEmpty: Bool { beginningCount == 0 && rest == nil }

  /// Resumes a task.
  mutating func resume(_ action: @escaping @Sendable () -> Void) {
    makeRest().resumptions.append(WorkItem(action))
  }

  /// Resumes consumers, and releases the element that they receive or that another one replaced.
  mutating func resume<Element>(_ resumption: Mailbox<Element>.Resumption) {
    resume { resumption.resume() }
    // The consumer may release the element first; the closure must not hold the last reference.
    if !_isPOD(Element.self) { release(resumption) }
  }

  /// Makes a call that may run user code: on the library's threads if it is a report.
  mutating func call(isReport: Bool = false, _ action: @escaping @Sendable () -> Void) {
    makeRest().calls.append(WorkItem(action))
    if isReport { makeRest().hasReports = true }
  }

  /// Releases a user's object, whose deinit may call the tool.
  mutating func release<Something: Sendable>(_ something: Something) {
    guard !_isPOD(Something.self) else { return }
    call { withExtendedLifetime(something) {} }
  }

  private mutating func makeRest() -> Rest {
    if let rest { return rest }
    let new = Rest()
    rest = new
    return new
  }

  /// Performs all actions but the beginnings.
  ///
  /// The timer's thread resumes tasks but runs no user code; the library's threads do.
  func perform(in service: TimerService, isOnTimer: Bool) {
    guard let rest else { return }
    // Released here: user objects that they hold are also held by the calls, and released with
    // these.
    while let resume = rest.resumptions.popFirst() { resume() }
    if !rest.calls.isEmpty, isOnTimer || rest.hasReports {
      let calls = DeferredCalls(rest.calls.takeAll())
      service.perform { calls.make() }
    } else {
      while let call = rest.calls.popFirst() { call() }
    }
  }
}

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
