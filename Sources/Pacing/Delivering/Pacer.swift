import Synchronization

/// The one tool around every pure state: the lock, the timer, and the life of a delivery.
///
/// A delivery is pending in the state, then decided, then running, then done. How many may be
/// decided or running at a time, the handler's `Overlap` says: one, in the beginning. What falls
/// due meanwhile is held in the state, by the state's own rule, and decided when a running one has
/// ended. So a slow handler needs no queue and bounds memory.
///
///     pending ──due──▶ decided ──its queue begins it──▶ running ──▶ done
///        └────────── cancel ──────────┘
///
/// ## Concurrency
/// Every call reads the clock under the lock, so time never runs backwards inside a tool. Mailboxes
/// are filled under the lock, in the order of the decisions. Handlers, continuations, the timer
/// service's arming, and the release of users' values come after it.
final class Pacer<State: PacedState>: TimerTarget {
  typealias Output = State.Output

  let service: TimerService
  let tolerance: Nanoseconds
  private let queue: Locked<DeliveryQueue<State>>
  private let isObserved = Atomic(false)
  private let entryPoints: EntryPoints

  /// What is called without knowing the state's type: by the timer, and by handlers.
  ///
  /// A closure is compiled with the initialiser around it for each state that a tool has; a
  /// protocol's witness would be compiled once for all of them, and ask the runtime for their types
  /// at every call.
  private struct EntryPoints: Sendable {
    let wake: @Sendable (Pacer, TimerService.Handle) -> Void
    let take: @Sendable (Pacer, HandlerRun?) -> Taken<Output>?
    let next: @Sendable (Pacer, _ ended: Decided<Output>, _ end: PacingInstant) -> Taken<Output>?
  }

  @inline(__always)
  convenience init(
    _ state: State, handler: Handler<Output>?, tolerance: Duration, clock: any PacingClock
  ) {
    self.init(state, handler: handler, tolerance: tolerance, service: clock.service)
  }

  init(
    _ state: State, handler: Handler<Output>?, tolerance: Duration, service: TimerService
  ) {
    self.service = service
    self.tolerance = Nanoseconds(wait: tolerance)
    queue = Locked(DeliveryQueue(state, handler: handler))
    entryPoints = EntryPoints(
      wake: { $0.awake($1) }, take: { $0.takeFirst($1) }, next: { $0.takeNext($1, $2) })
    // A grid that delivers something even when nothing came begins by itself.
    if state.deadline != .distantFuture { perform { _, _ in } }
  }

  deinit {
    // What was to come at an instant that never comes has nobody left to bring it.
    for mailbox in queue.withLock({ $0.mailboxes }) { mailbox.end()?.resume() }
  }

  // MARK: Calls

  /// Decides what is due, changes the state, and decides again: a value, a flush, a finish.
  @inline(__always)
  func update<Result: Sendable>(_ change: (inout State, PacingInstant) -> Result) -> Result {
    perform { queue, actions in
      let now = service.now
      queue.decide(at: now, &actions)
      let result = change(&queue.state, now)
      queue.decide(at: now, &actions)
      return result
    }
  }

  /// As `update`; what there is no room for in the end is taken out and dropped.
  @inline(__always)
  func update<Result: Sendable>(
    _ change: (inout State, PacingInstant) -> Result, excess: (inout State) -> Output?
  ) -> Result {
    perform { queue, actions in
      let now = service.now
      queue.decide(at: now, &actions)
      let result = change(&queue.state, now)
      queue.decide(at: now, &actions)
      while let output = excess(&queue.state) { queue.drop(output, .overflow, &actions) }
      return result
    }
  }

  /// Changes the state before anything that is due by now is decided: a reset.
  func overrule<Result: Sendable>(_ change: (inout State) -> Result) -> Result {
    perform { queue, actions in
      let result = change(&queue.state)
      queue.decide(at: service.now, &actions)
      return result
    }
  }

  /// As `update`, unless something is decided that has not begun: then nothing changes.
  ///
  /// - Returns: What `change` returned, nil where it was not called.
  func updateUnlessDecided<Result: Sendable>(
    _ change: (inout State, PacingInstant) -> Result
  ) -> Result? {
    perform { queue, actions in
      let now = service.now
      queue.decide(at: now, &actions)
      guard queue.decided.isEmpty else { return nil }
      let result = change(&queue.state, now)
      queue.decide(at: now, &actions)
      return result
    }
  }

  /// Withdraws everything that has not begun, before anything else is decided: what `cancel` takes
  /// out of the state, and what is decided, all of it or what `isMeant` is true of.
  ///
  /// - Returns: The outputs that were withdrawn, the oldest first. What waits in a stream counts
  ///   only where there is no handler: one that the handler has had was delivered.
  func withdrawAll(
    where isMeant: (@Sendable (Output) -> Bool)? = nil,
    _ cancel: (inout State) -> [Output] = { $0.cancelAll() }
  ) -> [Output] {
    perform { queue, actions in
      let (withdrawn, waiting) = queue.withdraw(cancel, where: isMeant, &actions)
      return (queue.hasHandler ? [] : waiting.first { !$0.isEmpty } ?? []) + withdrawn
    }
  }

  /// As `withdrawAll`, by one of the state's own verbs.
  func withdraw(_ cancel: (inout State) -> Output? = { $0.cancel() }) -> [Output] {
    withdrawAll(where: nil) { cancel(&$0).map { [$0] } ?? [] }
  }

  /// Sets the handler of a tool that was made without one.
  func setHandler(_ handler: Handler<Output>) {
    perform { queue, _ in queue.set(handler) }
  }

  /// Asks the state.
  func read<Result: Sendable>(_ query: (State) -> Result) -> Result {
    queue.withLock { query($0.state) }
  }

  /// Asks the state, and what was decided and has not begun, in order.
  func read<Result: Sendable>(_ query: (State, FIFO<Decided<Output>>) -> Result) -> Result {
    queue.withLock { query($0.state, $0.decided) }
  }

  /// Whether something has yet to be delivered, or was decided and has not begun.
  func isPending(_ holdsSomething: (State) -> Bool) -> Bool {
    read { state, decided in !decided.isEmpty || holdsSomething(state) }
  }

  /// What a tool calls in its deinit: what is pending is dropped, what is decided still runs.
  func abandon() {
    forEachPart { part in perform { $0.abandon(part: part, &$1) } }
  }

  /// Drops what `take` takes out of the state.
  func drop(_ reason: DropReason, _ take: (inout State) -> [Output]) {
    perform { queue, actions in
      for output in take(&queue.state) { queue.drop(output, reason, &actions) }
    }
  }

  /// Goes through the parts of what is pending; other calls come between.
  func forEachPart(_ body: (Int) -> Void) {
    for part in read(\.parts).reversed() { body(part) }
  }

  // MARK: Drops

  /// Has `body` told of each output that is not delivered, in the place of an earlier observer.
  func observeDrops(_ body: @escaping @Sendable (Output, DropReason) -> Void) {
    observeDrops(with: .init(isAtOnce: false, body: body))
  }

  func observeDrops(with observer: DeliveryQueue<State>.DropObserver) {
    perform { queue, actions in
      actions.release(queue.dropObserver)
      queue.dropObserver = observer
    }
    isObserved.store(true, ordering: .releasing)
  }

  /// Tells of an output that was not taken, outside the lock.
  func report(_ output: Output, _ reason: DropReason) {
    guard isObserved.load(ordering: .acquiring) else { return }
    perform { queue, actions in
      queue.report(output, reason, &actions)
    }
  }

  // MARK: Streams

  /// A stream of everything that is decided from now on, which keeps `owner` alive; it ends with
  /// the tool.
  func ticks(keeping owner: (any AnyObject & Sendable)? = nil) -> AsyncStream<Output> {
    stream(keeping: owner) { $0 }
  }

  /// As `ticks(keeping:)`, of what is shown of each output.
  func ticks<Shown: Sendable>(
    of transform: @escaping @Sendable (Output) -> Shown
  ) -> AsyncStream<Shown> {
    stream(keeping: nil, of: transform)
  }

  private func stream<Shown: Sendable>(
    keeping owner: (any AnyObject & Sendable)?,
    of transform: @escaping @Sendable (Output) -> Shown
  ) -> AsyncStream<Shown> {
    let (mailbox, number) = addMailbox()
    return mailbox.stream(keeping: owner, of: transform) { [weak self] in
      _ = self?.queue.withLock { $0.removeMailbox(number) }
    }
  }

  /// A mailbox that is filled with everything that is decided from now on.
  func subscribe() -> Mailbox<Output> { addMailbox().mailbox }

  private func addMailbox() -> (mailbox: Mailbox<Output>, number: Int) {
    queue.withLock { $0.addMailbox() }
  }

  // MARK: The queue

  func wake(_ handle: TimerService.Handle) { entryPoints.wake(self, handle) }

  @inline(__always)
  private func awake(_ handle: TimerService.Handle) {
    perform(isOnTimer: true) { queue, actions in
      queue.timer.fired(handle)
      queue.decide(at: service.now, &actions)
    }
  }

  /// Runs `body` under the lock, sets the timer by the new deadline, and then does what it left.
  @inline(__always)
  func perform<Result: Sendable>(
    isOnTimer: Bool = false, _ body: (inout DeliveryQueue<State>, inout UnlockActions) -> Result
  ) -> Result {
    var actions = UnlockActions()
    let result = queue.withLock { queue in
      let result = body(&queue, &actions)
      queue.resumeWaiters(&actions)
      if queue.isOver { queue.close(&actions) }
      let deadline = queue.deadline
      // While a delivery is on its way nothing can be decided; its end looks again.
      if !queue.timer.serves(deadline, in: service),
        queue.heedsDeadline || deadline == .distantFuture
      {
        actions.mustArm = queue.timer.set(deadline, tolerance: tolerance, for: self, in: service)
      }
      return result
    }
    if !actions.isEmpty {
      actions.perform(in: service, isOnTimer: isOnTimer) { count in
        guard let begin = queue.withLock({ $0.handler?.begin }) else { return }
        for _ in 0..<count { begin(service, self) }
      }
    }
    return result
  }
}

extension Pacer: DeliverySource {
  func take(_ run: HandlerRun?) -> Taken<Output>? { entryPoints.take(self, run) }

  @inline(__always)
  private func takeFirst(_ run: HandlerRun?) -> Taken<Output>? {
    perform { queue, actions in queue.take(run, at: service.now, &actions) }
  }

  func next(after delivery: Decided<Output>, until end: PacingInstant) -> Taken<Output>? {
    entryPoints.next(self, delivery, end)
  }

  @inline(__always)
  private func takeNext(_ ended: Decided<Output>, _ end: PacingInstant) -> Taken<Output>? {
    perform { $0.next(after: ended, until: end, at: service.now, &$1) }
  }

  func leave() {
    perform { queue, actions in queue.leave(at: service.now, &actions) }
  }
}
