/// What a call under a tool's lock leaves to do after unlocking.
struct UnlockActions {
  /// What few calls leave to do: the others pay for one word.
  ///
  /// One thread uses it, which makes dynamic exclusivity checks redundant.
  private final class Rest {
    @safe @exclusivity(unchecked) var resumptions = FIFO<WorkItem>()
    @safe @exclusivity(unchecked) var calls = FIFO<WorkItem>()
    @safe @exclusivity(unchecked) var hasReports = false
  }

  private var rest: Rest?

  @inline(__always)
  var isEmpty: Bool { rest == nil }

  var hasReports: Bool { rest?.hasReports ?? false }

  mutating func resume(_ action: @escaping @Sendable () -> Void) {
    makeRest().resumptions.append(WorkItem(action))
  }

  /// Resumes consumers, and releases the element that they receive or that another one replaced.
  mutating func resume<Element>(_ resumption: Mailbox<Element>.Resumption?) {
    guard let resumption else { return }
    resume(resumption.resume)
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
    let made = rest ?? Rest()
    rest = made
    return made
  }

  /// Does what is owed; user code never runs on the timer's thread.
  func perform(in service: TimerService, isOnTimer: Bool) {
    guard let rest else { return }
    // User objects that they hold are also held by the calls, and released with these.
    while let resume = rest.resumptions.popFirst() { resume() }
    guard isOnTimer || rest.hasReports, !rest.calls.isEmpty else {
      while let call = rest.calls.popFirst() { call() }
      return
    }
    // Removed by the thread that makes them, which also releases what they capture.
    let calls = Locked(rest.calls)
    rest.calls = FIFO()
    service.perform { while let call = calls.withLock({ $0.popFirst() }) { call() } }
  }
}
