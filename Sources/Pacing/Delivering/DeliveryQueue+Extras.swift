extension DeliveryQueue {
  /// The observer of outputs that are not delivered.
  final class DropObserver: Sendable {
    /// Whether the body runs no user code, so that any thread may call it.
    let isAtOnce: Bool
    let body: @Sendable (Output, DropReason) -> Void

    init(isAtOnce: Bool, body: @escaping @Sendable (Output, DropReason) -> Void) {
      self.isAtOnce = isAtOnce
      self.body = body
    }
  }

  /// What few tools have: the others pay for one word.
  final class Extras {
    /// The decided deliveries after the first, FIFO.
    var laterDecided = FIFO<Decided<Output>>()
    var mailboxes = Subscribers<Output>()
    /// Whether the streams have ended.
    var isClosed = false
    var waiters = DeliveryWaiters()
    var dropObserver: DropObserver?
    /// The latest run that a held output cancels.
    var latestRun: HandlerRun?
  }

  mutating func makeExtras() -> Extras {
    if let extras { return extras }
    let new = Extras()
    extras = new
    return new
  }

  var mailboxes: Subscribers<Output> { extras?.mailboxes ?? Subscribers() }

  @inline(__always)
  var hasMailboxes: Bool { extras.map { !$0.mailboxes.isEmpty } ?? false }

  /// Whether nothing is left to withdraw, now or later.
  var isDone: Bool { isOver && !hasUndelivered && !hasMailboxes }

  /// Sets the observer of drops; returns the one before it, for the caller to release.
  mutating func setDropObserver(_ observer: DropObserver) -> DropObserver? {
    let extras = makeExtras()
    defer { extras.dropObserver = observer }
    return extras.dropObserver
  }

  // MARK: Drops

  /// Reports an undelivered output to the observer, if there is one.
  func report(_ output: Output, _ reason: DropReason, _ actions: inout UnlockActions) {
    guard let dropObserver = extras?.dropObserver else { return }
    if dropObserver.isAtOnce {
      actions.resume { dropObserver.body(output, reason) }
    } else {
      actions.report { dropObserver.body(output, reason) }
    }
  }

  // MARK: Streams

  /// Adds a mailbox that receives everything decided from now on.
  mutating func addMailbox() -> (mailbox: Mailbox<Output>, number: Int) {
    let mailbox = Mailbox<Output>(
      first: hasDecided ? State.first : nil, merge: State.isMergeable ? State.merge : nil,
      key: State.key)
    let extras = makeExtras()
    if state.isFinished { _ = mailbox.end() } else { extras.isClosed = false }
    return (mailbox, extras.mailboxes.append(mailbox))
  }

  /// Removes the mailbox of a consumer that has left, for the caller to release.
  mutating func removeMailbox(_ number: Int) -> Mailbox<Output>? {
    extras?.mailboxes.remove(number)
  }

  // MARK: Waiting

  /// Ends the wait when the handlers of everything flushed, decided or running have ended;
  /// withdrawn deliveries do not count.
  mutating func end(_ wait: OneShot<Void>) {
    let extras = makeExtras()
    extras.waiters.append(wait, activeCount: activeCount)
    state.nextWaiter = extras.waiters.next
  }

  /// Resumes the tasks that have nothing left to wait for; called after every change.
  @inline(__always)
  mutating func resumeWaiters(_ actions: inout UnlockActions) {
    if let extras, !extras.waiters.isEmpty {
      extras.waiters.resume(earliestFlush: state.earliestFlush, &actions)
    }
  }
}
