/// What a call under a tool's lock leaves to be done once the lock is free.
struct Effects {
  /// The timer service is owed an `arm()`.
  var mustArm = false
  /// Where a handler is to begin.
  var placeToBegin: Delivery?
  private var afterwards = [@Sendable () -> Void]()

  /// Resumes a consumer.
  mutating func resume<Element>(_ resumption: Mailbox<Element>.Resumption) {
    afterwards.append { resumption.resume() }
  }

  /// Lets go of something of the user's, whose deinit may call the tool.
  mutating func release<Something: Sendable>(_ something: Something) {
    afterwards.append { withExtendedLifetime(something) {} }
  }

  @inline(__always)
  func perform(in service: TimerService, begin: @escaping @Sendable () -> Void) {
    if mustArm { service.arm() }
    if !afterwards.isEmpty { for action in afterwards { action() } }
    if let placeToBegin { placeToBegin.perform(in: service, begin) }
  }
}
