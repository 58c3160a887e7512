/// What a call under a tool's lock leaves to be done once the lock is free.
struct Effects {
  /// The timer service is owed an `arm()`.
  var mustArm = false
  /// How many deliveries are to begin.
  var beginning = 0
  // Nil, not empty: making and letting go of an empty array would show on the hot path.
  private var resumptions: [@Sendable () -> Void]?
  private var leavings: Line<Leavings.Call>?
  private var hasReports = false

  /// Whether nothing is left to be done: so it is on the hot path.
  @inline(__always)
  var isEmpty: Bool { !mustArm && beginning == 0 && resumptions == nil && leavings == nil }

  /// Resumes a task.
  mutating func resume(_ action: @escaping @Sendable () -> Void) {
    resumptions = (resumptions ?? []) + [action]
  }

  /// Resumes a consumer, or lets go of the element that another has replaced.
  mutating func resume<Element>(_ resumption: Mailbox<Element>.Resumption) {
    // It may be the last to hold its element: the consumer is as quick to let go.
    _isPOD(Element.self) ? resume { resumption.resume() } : leave { resumption.resume() }
  }

  /// Cancels a run: its task may have cancellation handlers, which are a user's.
  mutating func cancel(_ run: Run) {
    leave { run.cancel() }
  }

  /// Lets go of something of the user's, whose deinit may call the tool.
  mutating func release<Something: Sendable>(_ something: Something) {
    guard !_isPOD(Something.self) else { return }
    leave { withExtendedLifetime(something) {} }
  }

  /// Tells a user's observer, on the library's own threads.
  mutating func report(_ action: @escaping @Sendable () -> Void) {
    hasReports = true
    leave(action)
  }

  private mutating func leave(_ call: @escaping Leavings.Call) {
    if leavings == nil { leavings = Line() }
    leavings?.append(call)
  }

  /// Does it all.
  ///
  /// The timer's own thread runs no user's code: the library's threads do.
  mutating func perform(in service: TimerService, isOnTimer: Bool, begin: (_ count: Int) -> Void) {
    if mustArm { service.arm() }
    for resumption in resumptions ?? [] { resumption() }
    if leavings != nil, isOnTimer || hasReports {
      let taken = Leavings(leavings.take()!)
      service.perform { taken.make() }
    }
    while let call = leavings?.popFirst() { call() }
    if beginning > 0 { begin(beginning) }
  }
}
