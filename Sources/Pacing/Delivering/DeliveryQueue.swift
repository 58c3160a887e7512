/// What a `Pacer` keeps under its lock: a state, and the deliveries that it has decided.
///
/// Every method is called under that lock, and leaves in `UnlockActions` what must happen after.
struct DeliveryQueue<State: PacedState> {
  typealias Output = State.Output

  /// What is told of each output that is not delivered, and why.
  ///
  /// An object, because few tools have one: the others pay one word for it, not three.
  final class DropObserver: Sendable {
    /// It calls no user's code, so it may be called on any thread.
    let isAtOnce: Bool
    let body: @Sendable (Output, DropReason) -> Void

    init(isAtOnce: Bool, body: @escaping @Sendable (Output, DropReason) -> Void) {
      self.isAtOnce = isAtOnce
      self.body = body
    }
  }

  var state: State
  private(set) var handler: Handler<Output>?
  /// Whether a handler was set, though it may have been released.
  private(set) var hasHandler: Bool
  private var overlap: Overlap
  var timer = TimerEntry()
  var dropObserver: DropObserver?
  private(set) var mailboxes = Subscribers<Output>()
  /// What is decided and has not begun, in order.
  private(set) var decided = FIFO<Decided<Output>>()
  private var hasDecided = false
  /// The tool's last reference is gone, and what was pending is dropped.
  private var isAbandoned = false
  /// The streams have ended.
  private var isClosed = false
  private var running = 0
  /// How many beginnings are on their way; one whose delivery was withdrawn serves the next.
  private var beginning = 0
  private var latestRun: HandlerRun?
  private var waiters = DeliveryWaiters()

  /// How many decisions one hold of the lock makes; only a burst of ticks or of keys comes near it.
  private static var decisionsAtOnce: Int { 256 }

  init(_ state: State, handler: Handler<Output>?) {
    self.state = state
    self.handler = handler
    hasHandler = handler != nil
    overlap = handler?.overlap ?? .keepLatest
  }

  /// Sets the handler of a tool that was made without one.
  mutating func set(_ handler: Handler<Output>) {
    ConfigurationError.require(!hasHandler, "handler", "set already", must: "be set once")
    self.handler = handler
    hasHandler = true
    overlap = handler.overlap
    state.handlerWasSet()
  }

  /// When something falls due.
  @inline(__always)
  var deadline: PacingInstant { isAbandoned ? .distantFuture : state.deadline }

  /// Whether nothing will ever be decided again.
  @inline(__always)
  var isOver: Bool { isAbandoned || state.isFinished }

  /// Whether something is decided or running.
  private var isActive: Bool { running > 0 || !decided.isEmpty }

  /// Whether nothing more may be decided.
  @inline(__always)
  var isBusy: Bool { decided.count + running >= overlap.capacity }

  /// Whether what falls due changes anything at that instant.
  var heedsDeadline: Bool { !isBusy || overlap.cancelsPrevious && latestRun != nil }

  // MARK: From due to decided

  @inline(__always)
  mutating func decide(at now: PacingInstant, _ actions: inout UnlockActions) {
    guard deadline <= now else { return }
    if !isBusy { return decideDue(at: now, &actions) }
    // It is held until the run has ended, and merged with what falls due by then.
    if overlap.cancelsPrevious, let run = latestRun.take() { actions.cancel(run) }
  }

  private mutating func decideDue(at now: PacingInstant, _ actions: inout UnlockActions) {
    var left = Self.decisionsAtOnce
    while deadline <= now, !isBusy, left > 0 {
      left -= 1
      guard let output = state.due(at: now) else { continue }
      hasDecided = true
      for mailbox in mailboxes {
        if let resumption = mailbox.offer(output) { actions.resume(resumption) }
      }
      handOver(output, &actions)
    }
    beginNext(&actions)
  }

  /// Leaves what was decided to the handler; the mailboxes have it.
  private mutating func handOver(_ output: Output, _ actions: inout UnlockActions) {
    guard handler != nil else {
      guard !mailboxes.isEmpty else { return drop(output, .noConsumer, &actions) }
      state.begin(output)
      state.ended(output)
      // A consumer may have released it already: the last reference must not go here.
      return actions.release(output)
    }
    if overlap.dropsNew, isActive { return drop(output, .busy, &actions) }
    decided.append(Decided(output, waiter: waiters.decided(flushedBefore: state.flushOfDue)))
  }

  // MARK: From decided to done

  /// Has as many deliveries begin as may run.
  ///
  /// A handler that is not async goes on with the next delivery by itself, so that one beginning at
  /// a time is on its way: as many run at once as their place has threads for, none in vain.
  private mutating func beginNext(_ actions: inout UnlockActions) {
    let mayBegin = min(decided.count, overlap.concurrency - running)
    let wanted = handler?.body == nil ? mayBegin : min(mayBegin, 1)
    while beginning < wanted {
      beginning += 1
      actions.beginning += 1
    }
  }

  /// Begins with the delivery that has waited longest; nil if it was withdrawn.
  mutating func take(_ run: HandlerRun?, at now: PacingInstant, _ actions: inout UnlockActions)
    -> Taken<Output>?
  {
    beginning -= 1
    guard let taken = begin() else { return nil }
    latestRun = run
    beginNext(&actions)
    // What is held may be a reason to cancel the run at once.
    decide(at: now, &actions)
    return taken
  }

  /// Notes the end of a delivery, and until `end` begins with the next one that was decided before.
  mutating func next(
    after delivery: Decided<Output>, until end: PacingInstant, at now: PacingInstant,
    _ actions: inout UnlockActions
  ) -> Taken<Output>? {
    // What fell due while it ran meets the run, however late the timer is.
    if overlap.dropsNew { decide(at: now, &actions) }
    running -= 1
    if running == 0 { latestRun = nil }
    state.ended(delivery.output)
    waiters.ended(delivery)
    let next = now < end ? begin() : nil
    beginNext(&actions)
    decide(at: now, &actions)
    return next
  }

  private mutating func begin() -> Taken<Output>? {
    guard let delivery = decided.popFirst() else { return nil }
    state.begin(delivery.output)
    running += 1
    return Taken(delivery: delivery, body: handler?.body)
  }

  /// Gives up the handler, whose actor is gone, and drops what it was to have.
  mutating func leave(at now: PacingInstant, _ actions: inout UnlockActions) {
    beginning -= 1
    if let handler = handler.take() { actions.release(handler) }
    for delivery in decided.takeAll() {
      waiters.ended(delivery)
      drop(delivery.output, .noConsumer, &actions)
    }
    decide(at: now, &actions)
  }

  // MARK: From either to dropped

  mutating func drop(_ output: Output, _ reason: DropReason, _ actions: inout UnlockActions) {
    state.dropped(output, reason)
    report(output, reason, &actions)
    actions.release(output)
  }

  /// Reports an output that is not delivered.
  func report(_ output: Output, _ reason: DropReason, _ actions: inout UnlockActions) {
    guard let dropObserver else { return }
    if dropObserver.isAtOnce {
      actions.resume { dropObserver.body(output, reason) }
    } else {
      actions.report { dropObserver.body(output, reason) }
    }
  }

  /// Drops what has not begun: what was decided, and what `cancel` takes out of the state.
  ///
  /// With `isMeant`, only of what is decided or waiting in a stream that it is true of.
  ///
  /// - Returns: The outputs, the oldest first, and those that wait in streams.
  mutating func withdraw(
    _ cancel: (inout State) -> [Output], where isMeant: (@Sendable (Output) -> Bool)?,
    _ actions: inout UnlockActions
  ) -> (undelivered: [Output], waiting: [[Output]]) {
    let undelivered = decided.takeAll { isMeant?($0.output) ?? true }
    for delivery in undelivered { waiters.ended(delivery) }
    let withdrawn = undelivered.map(\.output) + cancel(&state)
    let waiting = mailboxes.map { $0.withdraw(where: isMeant ?? { _ in true }) }
    for output in withdrawn { drop(output, .cancelled, &actions) }
    actions.release(waiting)
    return (withdrawn, waiting)
  }

  /// Drops what is pending in one of the parts, unless it is to be delivered all the same, and
  /// ends.
  mutating func abandon(part: Int, _ actions: inout UnlockActions) {
    guard !state.outlivesItsTool else { return }
    isAbandoned = true
    for output in state.cancelAll(part: part) { drop(output, .deinitialized, &actions) }
  }

  // MARK: Streams

  /// Adds a mailbox that is filled with everything that is decided from now on.
  mutating func addMailbox() -> (mailbox: Mailbox<Output>, number: Int) {
    let mailbox = Mailbox<Output>(
      first: hasDecided ? State.first : nil, merge: State.isMergeable ? State.merge : nil,
      key: State.key)
    if state.isFinished { _ = mailbox.end() } else { isClosed = false }
    return (mailbox, mailboxes.append(mailbox))
  }

  /// Removes a mailbox whose consumer has left, for the caller to release.
  mutating func removeMailbox(_ number: Int) -> Mailbox<Output>? { mailboxes.remove(number) }

  /// Ends the streams, and releases the handler once it has run for the last time.
  mutating func close(_ actions: inout UnlockActions) {
    if !isClosed {
      isClosed = true
      for mailbox in mailboxes {
        if let resumption = mailbox.end() { actions.resume(resumption) }
      }
    }
    if !isActive, let handler = handler.take() { actions.release(handler) }
  }

  // MARK: Waiting

  /// Ends the wait when the handlers of all that is flushed, decided or running have ended, but for
  /// what is withdrawn.
  mutating func end(_ wait: OneShot<Void>) {
    waiters.append(wait, active: decided.count + running)
    state.nextWaiter = waiters.next
  }

  /// Resumes the tasks that have nothing left to wait for; any call may be the reason.
  @inline(__always)
  mutating func resumeWaiters(_ actions: inout UnlockActions) {
    if !waiters.isEmpty { waiters.resume(earliestFlush: state.earliestFlush, &actions) }
  }
}
