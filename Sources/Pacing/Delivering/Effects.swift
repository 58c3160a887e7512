/// What a call under a tool's lock leaves to be done once the lock is free.
struct Effects {
  /// The timer service is owed an `arm()`.
  var mustArm = false
  /// Where a handler is to begin.
  var placeToBegin: Delivery?
  /// Nil, not empty: making and letting go of an empty array would show on the hot path.
  private var afterwards: [@Sendable () -> Void]?

  /// Resumes a consumer.
  mutating func resume<Element>(_ resumption: Mailbox<Element>.Resumption) {
    add { resumption.resume() }
  }

  /// Lets go of something of the user's, whose deinit may call the tool.
  mutating func release<Something: Sendable>(_ something: Something) {
    add { withExtendedLifetime(something) {} }
  }

  /// Whether nothing is left to be done: so it is on the hot path.
  @inline(__always)
  var isEmpty: Bool { !mustArm && placeToBegin == nil && afterwards == nil }

  func perform(in service: TimerService, begin: @escaping @Sendable () -> Void) {
    if mustArm { service.arm() }
    for action in afterwards ?? [] { action() }
    placeToBegin?.perform(in: service, begin)
  }

  /// Adds what calls a user's code, or may.
  mutating func add(_ action: @escaping @Sendable () -> Void) {
    if afterwards == nil { afterwards = [] }
    afterwards?.append(action)
  }
}
