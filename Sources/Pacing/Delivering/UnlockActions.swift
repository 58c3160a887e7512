/// What a call under a tool's lock leaves to do after unlocking.
struct UnlockActions {
  /// Whether the timer service needs an `arm()`.
  var mustArm = false
  /// The number of deliveries to begin.
  var beginningCount = 0
  // Nil, not empty: creating and releasing an empty array is measurable on the hot path.
  private var resumptions: [WorkItem]?
  /// The first deferred call, which is mostly the only one.
  private var deferred: WorkItem?
  private var others: [WorkItem]?
  private var hasReports = false

  /// Whether there is nothing to do, which is usual on the hot path.
  @inline(__always)
  var isEmpty: Bool { !mustArm && beginningCount == 0 && resumptions == nil && deferred == nil }

  /// Resumes a task.
  mutating func resume(_ action: @escaping @Sendable () -> Void) {
    if resumptions == nil { resumptions = [] }
    resumptions?.append(WorkItem(action))
  }

  /// Resumes consumers, and releases the element that they receive or that another one replaced.
  mutating func resume<Element>(_ resumption: Mailbox<Element>.Resumption) {
    resume { resumption.resume() }
    // The consumer may release the element first; the closure must not hold the last reference.
    if !_isPOD(Element.self) { release(resumption) }
  }

  /// Cancels a run, whose task may have cancellation handlers, which are user code.
  mutating func cancel(_ run: HandlerRun) {
    enqueue { run.cancel() }
  }

  /// Releases a user's object, whose deinit may call the tool.
  mutating func release<Something: Sendable>(_ something: Something) {
    guard !_isPOD(Something.self) else { return }
    enqueue { withExtendedLifetime(something) {} }
  }

  /// Calls a user's observer on the library's threads.
  mutating func report(_ action: @escaping @Sendable () -> Void) {
    hasReports = true
    enqueue(action)
  }

  private mutating func enqueue(_ call: @escaping @Sendable () -> Void) {
    guard deferred != nil else { return deferred = WorkItem(call) }
    if others == nil { others = [] }
    others?.append(WorkItem(call))
  }

  /// Performs all actions.
  ///
  /// The timer's thread resumes tasks but runs no user code; the library's threads do.
  mutating func perform(in service: TimerService, isOnTimer: Bool, begin: (_ count: Int) -> Void) {
    if mustArm { service.arm() }
    // Released here: user objects that they hold are also held by `deferred`, and released with it.
    if let resumptions = resumptions.take() { for resume in resumptions { resume() } }
    if let first = deferred.take() {
      let others = others.take() ?? []
      if isOnTimer || hasReports {
        let calls = DeferredCalls([first] + others)
        service.perform { calls.make() }
      } else {
        first()
        for call in others { call() }
      }
    }
    if beginningCount > 0 { begin(beginningCount) }
  }
}
