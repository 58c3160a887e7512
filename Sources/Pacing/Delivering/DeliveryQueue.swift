/// What a `Pacer` guards with its lock: a state and its decided deliveries.
///
/// Every method is called under that lock, and adds to `owed` what must happen after unlocking. Not
/// copyable: the compiler would otherwise copy it around a change.
struct DeliveryQueue<State: PacedState>: ~Copyable {
  typealias Output = State.Output

  var state: State
  private(set) var handler: Handler<Output>?
  /// Whether a handler was ever attached; it may have been released.
  private(set) var hasHandler = false
  private var hasDecided = false
  /// Whether the tool's last reference is gone and pending outputs are dropped.
  private var isAbandoned = false
  private var runningCount: Int32 = 0
  /// The number of scheduled beginnings; one whose delivery was withdrawn serves the next.
  private var scheduledCount: Int32 = 0
  /// Those of them that are scheduled after unlocking.
  var owedBeginnings: Int32 = 0
  private var decided = FIFO<Decided<Output>>()
  var timer = TimerEntry()
  var owed = UnlockActions()
  private var extras: Extras?

  /// The most decisions in one hold of the lock, which only a burst of ticks or keys reaches.
  private static var decisionsAtOnce: Int { 256 }

  init(_ state: consuming State) { self.state = state }

  mutating func attach(_ handler: consuming Handler<Output>) {
    ConfigurationError.require(!hasHandler, "handler", "attached already", must: "be attached once")
    self.handler = handler
    hasHandler = true
    state.handlerWasAttached()
  }

  /// The instant at which something falls due.
  @inline(__always)
  var deadline: PacingInstant { isAbandoned ? .distantFuture : state.deadline }

  /// Whether nothing can be decided again; there is no deadline then.
  @inline(__always)
  var isOver: Bool { isAbandoned || state.isFinished }

  var hasUndelivered: Bool { !decided.isEmpty }

  /// The outputs that are decided and have not begun, the oldest first.
  var undelivered: [Output] { decided.map { $0.output } }

  var isPlain: Bool { decided.isEmpty && !hasMailboxes }

  private var overlap: Overlap { State.overlap ?? handler?.start.overlap ?? .concurrent(.max) }

  @inline(__always)
  private var isBusy: Bool { activeCount >= overlap.capacity }

  @inline(__always)
  private var activeCount: Int { decided.count + Int(runningCount) }

  /// Whether the timer's entry must follow a deadline that it does not serve.
  ///
  /// Not at full capacity: the end of a delivery checks again. An entry without a deadline may stay
  /// until it fires in vain: a tool that is suspended or cancelled and used again finds it set.
  @inline(__always)
  func mustSetTimer(to deadline: PacingInstant, in service: TimerService) -> Bool {
    guard deadline != .distantFuture else { return isOver || !service.isLazy }
    return !isBusy || overlap == .cancelPrevious && extras?.latestRun != nil
  }

  /// Whether nothing follows from a change, as is usual on the hot path: nothing is due, and the
  /// timer's entry serves the deadline.
  @inline(__always)
  func isSettled(at now: PacingInstant, in service: TimerService) -> Bool {
    let deadline = deadline
    guard deadline > now, owesNothing, extras == nil else { return false }
    return timer.serves(deadline, in: service) && (deadline != .distantFuture || !isOver)
      || deadline == .distantFuture && service.isLazy && !isOver
  }

  // MARK: From due to decided

  /// Decides what is due; false if more is due than one hold of the lock may decide.
  @inline(__always)
  @discardableResult
  mutating func decide(at now: PacingInstant) -> Bool {
    guard deadline <= now else { return true }
    if !isBusy { return decideDue(at: now) }
    // The output is held until the run ends, and merged with what falls due by then.
    if overlap == .cancelPrevious, let run = extras?.latestRun.take() { owed.call { run.cancel() } }
    return true
  }

  private mutating func decideDue(at now: PacingInstant) -> Bool {
    var left = Self.decisionsAtOnce
    while deadline <= now, !isBusy, left > 0 {
      left -= 1
      if overlap == .dropNew, activeCount > 0, state.passOver(at: now) { continue }
      guard let output = state.due(at: now) else { continue }
      hasDecided = true
      for mailbox in mailboxes { owed.resume(mailbox.offer(output)) }
      handOver(output)
    }
    beginNext()
    return deadline > now || isBusy
  }

  /// Hands a decided output to the handler; the mailboxes already have it.
  private mutating func handOver(_ output: Output) {
    guard handler != nil else {
      guard hasMailboxes else { return drop(output, .noConsumer) }
      state.begin(output)
      state.ended(output)
      // A consumer may already have released it: do not drop the last reference under the lock.
      return owed.release(output)
    }
    if overlap == .dropNew, activeCount > 0 { return drop(output, .busy) }
    let waiter = extras?.waiters.decided(flushedBefore: state.flushOfDue) ?? 0
    decided.append(Decided(output, waiter: waiter))
  }

  // MARK: From decided to done

  /// Begins as many deliveries as may run.
  ///
  /// A synchronous handler continues with the next by itself, so one beginning is scheduled at a
  /// time: as many run as their place has threads, and none is scheduled in vain.
  private mutating func beginNext() {
    let mayBegin = min(decided.count, overlap.concurrency - Int(runningCount))
    let wanted = Int32(clamping: handler?.isSynchronous == true ? min(mayBegin, 1) : mayBegin)
    guard wanted > scheduledCount else { return }
    owedBeginnings += wanted - scheduledCount
    scheduledCount = wanted
  }

  /// Whether there is nothing to do after unlocking, which is usual on the hot path.
  @inline(__always)
  var owesNothing: Bool { owedBeginnings == 0 && owed.isEmpty }

  /// Begins the oldest decided delivery; nil if it was withdrawn.
  mutating func take(_ run: HandlerRun?, at now: PacingInstant) -> Taken<Output>? {
    scheduledCount -= 1
    guard let taken = begin() else { return nil }
    if overlap == .cancelPrevious { makeExtras().latestRun = run }
    beginNext()
    // A held output may cancel the run immediately.
    decide(at: now)
    return taken
  }

  /// Ends a delivery and, before the instant `end`, begins the next one already decided.
  mutating func next(
    after delivery: Decided<Output>, until end: PacingInstant, at now: PacingInstant
  ) -> Taken<Output>? {
    // An output that fell due during the run counts as such, however late the timer is.
    if overlap == .dropNew { decide(at: now) }
    runningCount -= 1
    if runningCount == 0 { extras?.latestRun = nil }
    state.ended(delivery.output)
    extras?.waiters.ended(delivery)
    let next = now < end ? begin() : nil
    beginNext()
    decide(at: now)
    return next
  }

  private mutating func begin() -> Taken<Output>? {
    guard let delivery = decided.popFirst() else { return nil }
    state.begin(delivery.output)
    runningCount += 1
    return Taken(delivery: delivery, body: handler?.body)
  }

  /// Releases the handler, whose owner is gone, and drops its deliveries.
  mutating func leave(at now: PacingInstant) {
    scheduledCount -= 1
    if let handler = handler.take() { owed.release(handler) }
    for output in takeUndelivered() { drop(output, .noConsumer) }
    decide(at: now)
  }

  private mutating func takeUndelivered(
    where isIncluded: (Output) -> Bool = { _ in true }
  ) -> [Output] {
    decided.takeAll { isIncluded($0.output) }.map { delivery in
      extras?.waiters.ended(delivery)
      return delivery.output
    }
  }

  // MARK: From either to dropped

  /// Counts and reports a dropped output; releases it, unless it is returned to the caller.
  mutating func drop(_ output: Output, _ reason: DropReason, isReturned: Bool = false) {
    state.dropped(output, reason)
    report(output, reason)
    if !isReturned { owed.release(output) }
  }

  /// Drops what the state gave up, and of the decided outputs and those that wait in streams all,
  /// or those that match.
  ///
  /// - Returns: The outputs, oldest first. Those that waited in a stream are included only if there
  ///   is no handler; otherwise the handler has already received them.
  mutating func withdraw(
    _ pending: [Output], where isIncluded: @Sendable (Output) -> Bool = { _ in true }
  ) -> [Output] {
    let outputs = takeUndelivered(where: isIncluded) + pending
    for output in outputs { drop(output, .cancelled, isReturned: true) }
    let waiting = mailboxes.map { $0.withdraw(where: isIncluded) }
    if !waiting.isEmpty { owed.release(waiting) }
    guard !hasHandler, let shown = waiting.first(where: { !$0.isEmpty }) else { return outputs }
    return shown + outputs
  }

  /// Drops what is pending and stops deciding, unless the state outlives its tool.
  mutating func abandon() {
    guard !state.outlivesItsTool else { return }
    isAbandoned = true
    for output in state.cancelAll() { drop(output, .deinitialized) }
  }

  mutating func report(_ output: @autoclosure () -> Output, _ reason: DropReason) {
    guard let extras, let observer = extras.dropObserver else { return }
    let output = output()
    let report = { @Sendable in observer(output, reason) }
    extras.reportsAtOnce ? owed.resume(report) : owed.call(isReport: true, report)
  }

  mutating func setDropObserver(
    _ observer: @escaping @Sendable (Output, DropReason) -> Void, isAtOnce: Bool
  ) {
    let extras = makeExtras()
    if let replaced = extras.dropObserver { owed.release(replaced) }
    extras.dropObserver = observer
    extras.reportsAtOnce = isAtOnce
  }

  // MARK: Streams and tasks that wait

  var hasMailboxes: Bool { extras.map { !$0.mailboxes.isEmpty } ?? false }

  private var mailboxes: [Mailbox<Output>] { extras?.mailboxes ?? [] }

  mutating func addMailbox() -> Mailbox<Output> {
    var rule = State.mailboxRule
    if !hasDecided { rule.first = nil }
    let mailbox = Mailbox(rule)
    let extras = makeExtras()
    if extras.isClosed { _ = mailbox.end() }
    extras.mailboxes.append(mailbox)
    return mailbox
  }

  /// Notes that a consumer has left; when half of them have, their mailboxes go: amortised O(1).
  mutating func consumerLeft() {
    guard let extras else { return }
    extras.leaverCount += 1
    guard extras.leaverCount * 2 >= extras.mailboxes.count else { return }
    extras.mailboxes.removeAll { $0.isOver }
    extras.leaverCount = 0
  }

  /// Ends the wait when the handlers of everything flushed, decided or running have ended;
  /// withdrawn deliveries do not count.
  mutating func end(_ wait: OneShot<Void>) {
    let extras = makeExtras()
    extras.waiters.append(wait, activeCount: activeCount)
    state.nextWaiter = extras.waiters.next
  }

  /// Resumes the tasks that have nothing left to wait for; called after every change.
  @inline(__always)
  mutating func resumeWaiters() {
    if let extras, !extras.waiters.isEmpty {
      extras.waiters.resume(earliestFlush: state.earliestFlush, &owed)
    }
  }

  /// Ends the streams; returns the handler after its last run, to be released.
  mutating func close() -> Handler<Output>? {
    if let extras, !extras.isClosed {
      extras.isClosed = true
      for mailbox in extras.mailboxes { owed.resume(mailbox.end()) }
    }
    return activeCount == 0 ? handler.take() : nil
  }

  /// What few tools have: the others pay for one word.
  ///
  /// The tool's lock makes dynamic exclusivity checks redundant.
  private final class Extras {
    @safe @exclusivity(unchecked) var mailboxes = [Mailbox<Output>]()
    @safe @exclusivity(unchecked) var leaverCount = 0
    /// Whether the streams have ended, so that each that leaves then does not end the others again.
    @safe @exclusivity(unchecked) var isClosed = false
    @safe @exclusivity(unchecked) var waiters = DeliveryWaiters()
    @safe @exclusivity(unchecked) var dropObserver: (@Sendable (Output, DropReason) -> Void)?
    /// Whether that runs no user code, so that any thread may call it.
    @safe @exclusivity(unchecked) var reportsAtOnce = false
    /// The latest run that a held output cancels.
    @safe @exclusivity(unchecked) var latestRun: HandlerRun?

    // While something was pending its deadline may have been too far for an entry of the timer.
    deinit { for mailbox in mailboxes { mailbox.end()?.resume() } }
  }

  private mutating func makeExtras() -> Extras {
    let made = extras ?? Extras()
    extras = made
    return made
  }
}

/// A decided output, until its delivery ends or is withdrawn.
///
/// A reference: its container's size does not depend on the output's type, which keeps the generic
/// runtime out of the hot path.
final class Decided<Output: Sendable>: Sendable {
  let output: Output
  /// The number of the first task that waits for the delivery; see `DeliveryWaiters`.
  let waiter: Int

  init(_ output: Output, waiter: Int) {
    self.output = output
    self.waiter = waiter
  }
}

/// A delivery that has begun, with the closure to call; nil if its handler has left.
struct Taken<Output: Sendable>: Sendable {
  let delivery: Decided<Output>
  let body: Handler<Output>.Body?

  /// Calls a synchronous closure and releases it.
  consuming func run() -> Decided<Output> {
    if case .synchronous(let body) = body { body(delivery.output) }
    return delivery
  }
}
