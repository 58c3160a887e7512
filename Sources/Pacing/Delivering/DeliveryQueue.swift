/// What a `Pacer` guards with its lock: a state and its decided deliveries.
///
/// Every method is called under that lock, and adds to `UnlockActions` what must happen after
/// unlocking. Not copyable: the compiler would otherwise copy it around a change.
struct DeliveryQueue<State: PacedState>: ~Copyable {
  typealias Output = State.Output

  var state: State
  /// Nil if there is no handler, or no more.
  private(set) var handler: Handler<Output>.Body?
  /// Whether a handler was ever set; it may have been released.
  private(set) var hasHandler: Bool
  private(set) var hasDecided = false
  /// Whether the tool's last reference is gone and pending outputs are dropped.
  private var isAbandoned = false
  private var overlap: Overlap
  private var runningCount: Int32 = 0
  /// The number of scheduled beginnings; one whose delivery was withdrawn serves the next.
  private var scheduledCount: Int32 = 0
  /// The oldest delivery that is decided and has not begun; the others are among the extras.
  var firstDecided: Decided<Output>?
  var timer = TimerEntry()
  var extras: Extras?

  /// The maximum number of decisions per lock acquisition, which only a burst of ticks or keys
  /// reaches.
  private static var decisionsAtOnce: Int { 256 }

  init(_ state: State, handler: Handler<Output>?) {
    self.state = state
    self.handler = handler?.body
    hasHandler = handler != nil
    overlap = handler?.overlap ?? .keepLatest
  }

  /// Sets the handler of a tool made without one.
  mutating func set(_ handler: Handler<Output>) {
    ConfigurationError.require(!hasHandler, "handler", "set already", must: "be set once")
    self.handler = handler.body
    hasHandler = true
    overlap = handler.overlap
    state.handlerWasSet()
  }

  /// The instant at which something falls due.
  @inline(__always)
  var deadline: PacingInstant { isAbandoned ? .distantFuture : state.deadline }

  /// Whether nothing can be decided again.
  @inline(__always)
  var isOver: Bool { isAbandoned || state.isFinished }

  /// Whether a delivery is decided or running.
  private var isActive: Bool { runningCount > 0 || hasUndelivered }

  /// Whether the overlap's capacity is used up.
  @inline(__always)
  var isBusy: Bool { activeCount >= overlap.capacity }

  /// The number of deliveries that are decided or running.
  @inline(__always)
  var activeCount: Int { decidedCount + Int(runningCount) }

  /// Whether the timer's entry must follow a deadline that it does not serve.
  ///
  /// At full capacity nothing can be decided; the end of a delivery checks again. An entry without
  /// a deadline may stay until it fires, once and in vain: a tool that is suspended and resumed, or
  /// cancelled and used again, then finds it set.
  @inline(__always)
  func mustSetTimer(to deadline: PacingInstant, in service: TimerService) -> Bool {
    guard deadline != .distantFuture else { return isOver || !service.keepsIdleEntries }
    return !isBusy || overlap.cancelsPrevious && extras?.latestRun != nil
  }

  // MARK: From due to decided

  /// Applies a change, and decides what is due then.
  @inline(__always)
  mutating func update<Result>(
    at now: PacingInstant, _ actions: inout UnlockActions,
    _ change: (inout State, PacingInstant) -> Result
  ) -> Result {
    let result = change(&state, now)
    decide(at: now, &actions)
    return result
  }

  /// As `update`, then drops outputs beyond capacity.
  @inline(__always)
  mutating func update<Result>(
    at now: PacingInstant, _ actions: inout UnlockActions,
    _ change: (inout State, PacingInstant) -> Result, excess: (inout State) -> Output?
  ) -> Result {
    let result = update(at: now, &actions, change)
    while let output = excess(&state) { drop(output, .overflow, &actions) }
    return result
  }

  /// Decides what is due.
  ///
  /// - Returns: Whether that is all that may be decided now; false if it was too much for one hold
  ///   of the lock.
  @inline(__always)
  @discardableResult
  mutating func decide(at now: PacingInstant, _ actions: inout UnlockActions) -> Bool {
    guard deadline <= now else { return true }
    if !isBusy { return decideDue(at: now, &actions) }
    // The output is held until the run ends, and merged with what falls due by then.
    if overlap.cancelsPrevious, let run = extras?.latestRun.take() { actions.cancel(run) }
    return true
  }

  private mutating func decideDue(at now: PacingInstant, _ actions: inout UnlockActions) -> Bool {
    var left = Self.decisionsAtOnce
    while deadline <= now, !isBusy, left > 0 {
      left -= 1
      if overlap.dropsNew, isActive, state.passOver(at: now) { continue }
      guard let output = state.due(at: now) else { continue }
      hasDecided = true
      if hasMailboxes {
        for mailbox in mailboxes {
          if let resumption = mailbox.offer(output) { actions.resume(resumption) }
        }
      }
      handOver(output, &actions)
    }
    beginNext(&actions)
    return left > 0 || deadline > now || isBusy
  }

  /// Hands a decided output to the handler; the mailboxes already have it.
  private mutating func handOver(_ output: Output, _ actions: inout UnlockActions) {
    guard handler != nil else {
      guard hasMailboxes else { return drop(output, .noConsumer, &actions) }
      state.begin(output)
      state.ended(output)
      // A consumer may already have released it: do not drop the last reference under the lock.
      return actions.release(output)
    }
    if overlap.dropsNew, isActive { return drop(output, .busy, &actions) }
    let waiter = extras?.waiters.decided(flushedBefore: state.flushOfDue) ?? 0
    append(Decided(output, waiter: waiter))
  }

  // MARK: From decided to done

  /// Begins as many deliveries as may run.
  ///
  /// A synchronous handler continues with the next delivery by itself, so one beginning is
  /// scheduled at a time: as many run concurrently as their place has threads, and none is
  /// scheduled in vain.
  private mutating func beginNext(_ actions: inout UnlockActions) {
    let mayBegin = min(decidedCount, overlap.concurrency - Int(runningCount))
    let wanted = handler?.closure == nil ? mayBegin : min(mayBegin, 1)
    while Int(scheduledCount) < wanted {
      scheduledCount += 1
      actions.beginningCount += 1
    }
  }

  /// Begins the oldest decided delivery; nil if it was withdrawn.
  mutating func take(_ run: HandlerRun?, at now: PacingInstant, _ actions: inout UnlockActions)
    -> Taken<Output>?
  {
    scheduledCount -= 1
    guard let taken = begin() else { return nil }
    if overlap.cancelsPrevious { makeExtras().latestRun = run }
    beginNext(&actions)
    // A held output may cancel the run immediately.
    decide(at: now, &actions)
    return taken
  }

  /// Ends a delivery and, before the instant `end`, begins the next one already decided.
  mutating func next(
    after delivery: Decided<Output>, until end: PacingInstant, at now: PacingInstant,
    _ actions: inout UnlockActions
  ) -> Taken<Output>? {
    // An output that fell due during the run counts as such, however late the timer is.
    if overlap.dropsNew { decide(at: now, &actions) }
    runningCount -= 1
    if runningCount == 0 { extras?.latestRun = nil }
    state.ended(delivery.output)
    extras?.waiters.ended(delivery)
    let next = now < end ? begin() : nil
    beginNext(&actions)
    decide(at: now, &actions)
    return next
  }

  private mutating func begin() -> Taken<Output>? {
    guard let delivery = popDecided() else { return nil }
    state.begin(delivery.output)
    runningCount += 1
    return Taken(delivery: delivery, body: handler?.closure)
  }

  /// Releases the handler, whose owner is gone, and drops its deliveries.
  mutating func leave(at now: PacingInstant, _ actions: inout UnlockActions) {
    scheduledCount -= 1
    if let handler = handler.take() { actions.release(handler) }
    for delivery in takeDecided() {
      extras?.waiters.ended(delivery)
      drop(delivery.output, .noConsumer, &actions)
    }
    decide(at: now, &actions)
  }

  // MARK: From either to dropped

  mutating func drop(
    _ output: Output, _ reason: DropReason, _ actions: inout UnlockActions,
    releasing isLast: Bool = true
  ) {
    state.dropped(output, reason)
    report(output, reason, &actions)
    if isLast { actions.release(output) }
  }

  /// Drops what has not begun: decided outputs, and those that `cancel` removes from the state.
  ///
  /// `isIncluded` restricts the decided outputs, and those waiting in streams, to those that match.
  ///
  /// - Returns: The outputs, oldest first. Those that waited in a stream are included only if there
  ///   is no handler; otherwise the handler has already received them.
  mutating func withdraw(
    _ cancel: (inout State) -> [Output], where isIncluded: (@Sendable (Output) -> Bool)?,
    _ actions: inout UnlockActions
  ) -> [Output] {
    var withdrawn = cancel(&state)
    if hasUndelivered {
      let undelivered = takeDecided { isIncluded?($0.output) ?? true }
      for delivery in undelivered { extras?.waiters.ended(delivery) }
      withdrawn = undelivered.map { $0.output } + withdrawn
    }
    let waiting = extras?.mailboxes.withdraw(where: isIncluded) ?? []
    // The caller releases the outputs, which are returned to it.
    for output in withdrawn { drop(output, .cancelled, &actions, releasing: false) }
    if !waiting.isEmpty { actions.release(waiting) }
    guard !hasHandler, let shown = waiting.first(where: { !$0.isEmpty }) else { return withdrawn }
    return shown + withdrawn
  }

  /// As `withdraw`, if nothing is decided and there is no stream: allocates nothing.
  mutating func withdrawPending(
    _ cancel: (inout State) -> Output?, _ actions: inout UnlockActions
  ) -> Output? {
    guard let output = cancel(&state) else { return nil }
    drop(output, .cancelled, &actions, releasing: false)
    return output
  }

  /// Drops what is pending in one part and stops deciding, unless the state outlives its tool.
  mutating func abandon(part: Int, _ actions: inout UnlockActions) {
    guard !state.outlivesItsTool else { return }
    isAbandoned = true
    for output in state.cancelAll(part: part) { drop(output, .deinitialized, &actions) }
  }

  // MARK: The end

  /// Ends the streams, and releases the handler after its last run.
  mutating func close(_ actions: inout UnlockActions) {
    if let extras, !extras.isClosed {
      extras.isClosed = true
      for mailbox in extras.mailboxes {
        if let resumption = mailbox.end() { actions.resume(resumption) }
      }
    }
    if !isActive, let handler = handler.take() { actions.release(handler) }
  }
}
