/// What a call under a tool's lock leaves to be done once the lock is free.
struct UnlockActions {
  /// Whether the timer service is owed an `arm()`.
  var mustArm = false
  /// How many deliveries are to begin.
  var beginning = 0
  // Nil, not empty: making and releasing an empty array would show on the hot path.
  private var resumptions: [WorkItem]?
  private var deferred: [WorkItem]?
  private var hasReports = false

  /// Whether nothing is left to be done, as usual on the hot path.
  @inline(__always)
  var isEmpty: Bool { !mustArm && beginning == 0 && resumptions == nil && deferred == nil }

  /// Resumes a task.
  mutating func resume(_ action: @escaping @Sendable () -> Void) {
    if resumptions == nil { resumptions = [] }
    resumptions?.append(WorkItem(action))
  }

  /// Resumes a consumer; releases the element that it gets, or that another has replaced.
  mutating func resume<Element>(_ resumption: Mailbox<Element>.Resumption) {
    resume { resumption.resume() }
    // The consumer may be as quick to release it: the last reference must not go with the closure.
    if !_isPOD(Element.self) { release(resumption) }
  }

  /// Cancels a run: its task may have cancellation handlers, which are a user's.
  mutating func cancel(_ run: HandlerRun) {
    leave { run.cancel() }
  }

  /// Releases something of the user's, whose deinit may call the tool.
  mutating func release<Something: Sendable>(_ something: Something) {
    guard !_isPOD(Something.self) else { return }
    leave { withExtendedLifetime(something) {} }
  }

  /// Tells a user's observer, on the library's own threads.
  mutating func report(_ action: @escaping @Sendable () -> Void) {
    hasReports = true
    leave(action)
  }

  private mutating func leave(_ call: @escaping @Sendable () -> Void) {
    if deferred == nil { deferred = [] }
    deferred?.append(WorkItem(call))
  }

  /// Does it all.
  ///
  /// The timer's own thread resumes tasks, but runs no user's code: the library's threads do.
  mutating func perform(in service: TimerService, isOnTimer: Bool, begin: (_ count: Int) -> Void) {
    if mustArm { service.arm() }
    // Released here: what they hold of the user's is held by `deferred` too, and goes with that.
    if let resumptions = resumptions.take() { for resume in resumptions { resume() } }
    if deferred != nil, isOnTimer || hasReports {
      let taken = DeferredCalls(deferred.take()!)
      service.perform { taken.make() }
    }
    for call in deferred ?? [] { call() }
    if beginning > 0 { begin(beginning) }
  }
}
