/// What a `Pacer` keeps under its lock: a state, and the deliveries that it has decided.
///
/// Every method is called under that lock, and leaves in `UnlockActions` what must happen after it.
struct DeliveryQueue<State: PacedState> {
  typealias Output = State.Output

  /// What hears of each output that is not delivered, and why.
  ///
  /// An object, for few tools have one: so the others have one word for it and not three.
  final class DropObserver: Sendable {
    /// It calls no user's code, so it may be called on any thread.
    let isAtOnce: Bool
    let body: @Sendable (Output, DropReason) -> Void

    init(isAtOnce: Bool, body: @escaping @Sendable (Output, DropReason) -> Void) {
      self.isAtOnce = isAtOnce
      self.body = body
    }
  }

  /// A task that waits until no handler runs, and all that was due at an instant has been
  /// delivered.
  private struct Waiter {
    let instant: PacingInstant?
    let wait: OneShot<Void>
  }

  var state: State
  private(set) var handler: Handler<Output>?
  /// Whether a handler was set, though it may have been released.
  private(set) var hasHandler: Bool
  private var overlap: Overlap
  var timer = TimerEntry()
  var dropObserver: DropObserver?
  var mailboxes = [Mailbox<Output>]()
  /// What is decided and has not begun, in order.
  private(set) var decided = FIFO<Parcel<Output>>()
  private(set) var hasDecided = false
  /// Nobody holds the tool any more, and what was pending is dropped.
  private var isAbandoned = false
  private var running = 0
  /// How many beginnings are on their way; one whose delivery was withdrawn serves the next.
  private var beginning = 0
  private var latestRun: HandlerRun?
  private var waiters = [Waiter]()

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
      // A consumer may have let go of it already: the last reference must not go here.
      return actions.release(output)
    }
    if overlap.dropsNew, isActive { return drop(output, .busy, &actions) }
    decided.append(Parcel(output))
  }

  // MARK: From decided to done

  /// Has as many deliveries begin as may run.
  ///
  /// Where they go on by themselves one at a time is on its way, ahead of what it will find: as
  /// many run at the same time as their place has threads for, and nobody begins in vain.
  private mutating func beginNext(_ actions: inout UnlockActions) {
    let mayBegin = min(decided.count, overlap.concurrency - running)
    let wanted = handler?.body == nil ? mayBegin : min(mayBegin, 1)
    while beginning < wanted {
      beginning += 1
      actions.beginning += 1
    }
  }

  /// Begins with the delivery that has waited longest; nil where it was withdrawn.
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
    after output: Output, until end: PacingInstant, at now: PacingInstant,
    _ actions: inout UnlockActions
  ) -> Taken<Output>? {
    // What fell due while it ran meets the run, however late the timer is.
    if overlap.dropsNew { decide(at: now, &actions) }
    running -= 1
    if running == 0 { latestRun = nil }
    state.ended(output)
    // Whoever waits for this run does not wait for the next one.
    resumeWaiters(&actions)
    let next = now < end ? begin() : nil
    beginNext(&actions)
    decide(at: now, &actions)
    return next
  }

  private mutating func begin() -> Taken<Output>? {
    guard let parcel = decided.popFirst() else { return nil }
    state.begin(parcel.value)
    running += 1
    return Taken(output: parcel.value, body: handler?.body)
  }

  /// Gives up the handler, whose actor has gone, and drops what it was to have.
  mutating func leave(at now: PacingInstant, _ actions: inout UnlockActions) {
    beginning -= 1
    if let handler = handler.take() { actions.release(handler) }
    for parcel in decided.takeAll() { drop(parcel.value, .noConsumer, &actions) }
    decide(at: now, &actions)
  }

  // MARK: From either to dropped

  mutating func drop(_ output: Output, _ reason: DropReason, _ actions: inout UnlockActions) {
    state.dropped(output, reason)
    report(output, reason, &actions)
    actions.release(output)
  }

  /// Tells of an output that is not delivered.
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
  /// Where `isMeant` is given, only outputs of which it is true count as decided or waiting in a
  /// stream.
  ///
  /// - Returns: The outputs, the oldest first, and those that wait in streams.
  mutating func withdraw(
    _ cancel: (inout State) -> [Output], where isMeant: (@Sendable (Output) -> Bool)?,
    _ actions: inout UnlockActions
  ) -> (undelivered: [Output], waiting: [[Output]]) {
    let undelivered = decided.takeAll(where: { isMeant?($0.value) ?? true }).map { $0.value }
    let withdrawn = undelivered + cancel(&state)
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

  /// Ends the streams, and lets go of the handler once it has run for the last time.
  mutating func close(_ actions: inout UnlockActions) {
    for mailbox in mailboxes {
      if let resumption = mailbox.end() { actions.resume(resumption) }
    }
    if !isActive, let handler = handler.take() { actions.release(handler) }
  }

  // MARK: Waiting

  /// Ends the wait when no handler runs, and what was due at the instant has been delivered or
  /// withdrawn.
  mutating func end(_ wait: OneShot<Void>, afterWhatIsDueAt instant: PacingInstant?) {
    waiters.append(Waiter(instant: instant, wait: wait))
  }

  /// Resumes those for whom there is nothing left to wait for; whatever a call has changed may be
  /// the reason.
  @inline(__always)
  mutating func resumeWaiters(_ actions: inout UnlockActions) {
    if !waiters.isEmpty { resumeQuiet(&actions) }
  }

  private mutating func resumeQuiet(_ actions: inout UnlockActions) {
    let (done, waiting) = (waiters.filter(isQuiet), waiters.filter { !isQuiet($0) })
    waiters = waiting
    for waiter in done { actions.resume { waiter.wait.resolve(()) } }
  }

  private func isQuiet(_ waiter: Waiter) -> Bool {
    guard running == 0, let instant = waiter.instant else { return running == 0 }
    return decided.isEmpty && instant < deadline
  }
}
