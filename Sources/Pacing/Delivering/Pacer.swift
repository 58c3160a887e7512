import Synchronization

/// The shell around every pure state: the lock, the timer, and the life cycle of a delivery.
///
/// A delivery is pending in the state, then decided, then running, then done. The handler's
/// `Overlap` limits how many may be decided or running at a time, one by default. What falls due
/// beyond that is held in the state, by the state's own rule, and decided when a running delivery
/// ends. So a slow handler needs no queue, and memory is bounded.
///
///     pending ──due──▶ decided ──its queue begins it──▶ running ──▶ done
///        └────────── cancel ──────────┘
///
/// ## Concurrency
/// Every call reads the clock under the lock, so time never runs backwards inside a tool. Mailboxes
/// are filled under the lock, in decision order. Handlers, continuations, arming the timer service,
/// and releasing users' values come after unlocking.
///
/// The lock itself, so that one block of memory holds it all.
class Pacer<State: PacedState>: Locked<DeliveryQueue<State>>, TimerTarget, @unchecked Sendable {
  typealias Output = State.Output

  private let isObserved = Atomic(false)
  let service: TimerService
  let tolerance: Nanoseconds
  private let entryPoint: @Sendable (Pacer, PacerCall) -> Taken<Output>?

  /// A call made without knowing the state's type: by the timer, by a handler, or by the deinit.
  ///
  /// They share a closure, which is compiled with the enclosing initialiser, once for each concrete
  /// state; a protocol witness would be compiled once for all of them, and request their type
  /// metadata at every call.
  private enum PacerCall {
    case wake(TimerService.Handle)
    case take(HandlerRun?)
    case next(after: Decided<Output>, until: PacingInstant)
    case closeStreams
  }

  // Written out: the compiler warns of an infinite recursion in the one that it makes.
  @available(*, unavailable)
  package override init(_: consuming sending DeliveryQueue<State>) { fatalError() }

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
    entryPoint = { pacer, call in
      switch call {
      case .wake(let handle): pacer.awake(handle)
      case .take(let run): return pacer.takeFirst(run)
      case .next(let ended, let end): return pacer.takeNext(ended, end)
      case .closeStreams: pacer.closeStreams()
      }
      return nil
    }
    super.init(DeliveryQueue(state, handler: handler))
    // A state that delivers even without input, such as a grid, starts by itself.
    if state.deadline != .distantFuture { perform { _, _ in } }
  }

  deinit {
    _ = entryPoint(self, .closeStreams)
  }

  /// Ends the streams: nothing more can be decided.
  @inline(__always)
  private func closeStreams() {
    for mailbox in withLock({ $0.mailboxes }) { mailbox.end()?.resume() }
  }

  // MARK: Calls

  /// Decides what is due, applies a change, and decides again: a value, a flush, a finish.
  @inline(__always)
  func update<Result: Sendable>(_ change: (inout State, PacingInstant) -> Result) -> Result {
    performWhenDecided { queue, now, actions in queue.update(at: now, &actions, change) }
  }

  /// As `update`, then drops outputs beyond capacity.
  @inline(__always)
  func update<Result: Sendable>(
    _ change: (inout State, PacingInstant) -> Result, excess: (inout State) -> Output?
  ) -> Result {
    performWhenDecided { queue, now, actions in
      queue.update(at: now, &actions, change, excess: excess)
    }
  }

  /// Changes the state before deciding what is due by now: a reset.
  func overrule<Result: Sendable>(_ change: (inout State, PacingInstant) -> Result) -> Result {
    perform { queue, actions in
      let now = service.now
      let result = change(&queue.state, now)
      queue.decide(at: now, &actions)
      return result
    }
  }

  /// As `update`, but calls `change` only if every decided delivery has begun.
  ///
  /// - Returns: What `change` returned; nil if it was not called.
  func updateUnlessDecided<Result: Sendable>(
    _ change: (inout State, PacingInstant) -> Result
  ) -> Result? {
    performWhenDecided { queue, now, actions in
      queue.hasUndelivered ? nil : queue.update(at: now, &actions, change)
    }
  }

  /// Withdraws everything that has not begun, before anything else is decided.
  ///
  /// This covers what `cancel` removes from the state, and decided deliveries: all, or those for
  /// which `isIncluded` is true.
  ///
  /// - Returns: The withdrawn outputs, oldest first.
  func withdrawAll(
    where isIncluded: (@Sendable (Output) -> Bool)? = nil,
    _ cancel: (inout State) -> [Output] = { $0.cancelAll() }
  ) -> [Output] {
    perform { queue, actions in queue.withdraw(cancel, where: isIncluded, &actions) }
  }

  /// As `withdrawAll`, with one of the state's own verbs.
  ///
  /// - Returns: The newest output withdrawn.
  func withdraw(_ cancel: (inout State) -> Output? = { $0.cancel() }) -> Output? {
    // The older outputs are released outside the lock.
    let (pending, withdrawn): (Output?, [Output]) = perform { queue, actions in
      guard queue.hasUndelivered || queue.hasMailboxes else {
        return (queue.withdrawPending(cancel, &actions), [])
      }
      return (nil, queue.withdraw({ cancel(&$0).map { [$0] } ?? [] }, where: nil, &actions))
    }
    return pending ?? withdrawn.last
  }

  /// Sets the handler of a tool made without one.
  func setHandler(_ handler: Handler<Output>) {
    perform { queue, _ in queue.set(handler) }
  }

  /// Reads the state.
  func read<Result: Sendable>(_ query: (State) -> Result) -> Result {
    withLock { query($0.state) }
  }

  /// Reads the state and the decided deliveries that have not begun, FIFO.
  func read<Result: Sendable>(_ query: (State, [Decided<Output>]) -> Result) -> Result {
    withLock { query($0.state, $0.decided) }
  }

  /// Whether nothing is left to withdraw, now or later.
  var isOver: Bool { withLock { $0.isDone } }

  /// Whether an output is still to be delivered, or is decided and has not begun.
  func isPending(_ holdsSomething: (State) -> Bool) -> Bool {
    read { state, decided in !decided.isEmpty || holdsSomething(state) }
  }

  /// Decides what is due, however much that is: more than one hold of the lock decides.
  func decideAll() {
    performWhenDecided { _, _, _ in }
  }

  /// Drops what is pending and lets decided deliveries run; called by a tool's deinit.
  func abandon() {
    forEachPart { part in perform { $0.abandon(part: part, &$1) } }
  }

  /// Drops the outputs that `take` removes from the state.
  func drop(_ reason: DropReason, _ take: (inout State) -> [Output]) {
    perform { queue, actions in
      for output in take(&queue.state) { queue.drop(output, reason, &actions) }
    }
  }

  /// Visits the parts of what is pending; other calls may interleave.
  func forEachPart(_ body: (Int) -> Void) {
    for part in read({ $0.parts }).reversed() { body(part) }
  }

  // MARK: Drops

  /// Sets the observer of undelivered outputs, replacing an earlier one.
  func observeDrops(_ body: @escaping @Sendable (Output, DropReason) -> Void) {
    observeDrops(with: .init(isAtOnce: false, body: body))
  }

  func observeDrops(with observer: DeliveryQueue<State>.DropObserver) {
    perform { queue, actions in
      actions.release(queue.setDropObserver(observer))
    }
    isObserved.store(true, ordering: .releasing)
  }

  /// Reports an output that the state did not take; called outside the lock.
  func report(_ output: Output, _ reason: DropReason) {
    guard isObserved.load(ordering: .acquiring) else { return }
    perform { queue, actions in
      queue.report(output, reason, &actions)
    }
  }

  // MARK: The queue

  func wake(_ handle: TimerService.Handle) { _ = entryPoint(self, .wake(handle)) }

  @inline(__always)
  private func awake(_ handle: TimerService.Handle) {
    perform(isOnTimer: true) { queue, actions in
      queue.timer.fired(handle)
      queue.decide(at: service.now, &actions)
    }
  }

  /// Decides what is due, and then runs `body` under the lock, at the instant of the decision.
  ///
  /// A call comes after everything that was due before it. If that is a lot, it is decided in
  /// several holds of the lock.
  @inline(__always)
  func performWhenDecided<Result: Sendable>(
    _ body: (inout DeliveryQueue<State>, PacingInstant, inout UnlockActions) -> Result
  ) -> Result {
    while true {
      let result: Result? = perform { queue, actions in
        let now = service.now
        return queue.decide(at: now, &actions) ? body(&queue, now, &actions) : nil
      }
      if let result { return result }
    }
  }

  /// Runs `body` under the lock, updates the timer, and performs the actions after unlocking.
  @inline(__always)
  func perform<Result: Sendable>(
    isOnTimer: Bool = false, _ body: (inout DeliveryQueue<State>, inout UnlockActions) -> Result
  ) -> Result {
    var actions = UnlockActions()
    let result = withLock { queue in
      let result = body(&queue, &actions)
      queue.resumeWaiters(&actions)
      if queue.isOver { queue.close(&actions) }
      let deadline = queue.deadline
      if !queue.timer.serves(deadline, in: service), queue.mustSetTimer(to: deadline, in: service) {
        actions.mustArm = queue.timer.set(deadline, tolerance: tolerance, for: self, in: service)
      }
      return result
    }
    if !actions.isEmpty {
      actions.perform(in: service, isOnTimer: isOnTimer) { count in
        guard let start = withLock({ $0.handler?.start }) else { return }
        for _ in 0..<count { start(service, self) }
      }
    }
    return result
  }
}

extension Pacer: DeliverySource {
  func take(_ run: HandlerRun?) -> Taken<Output>? { entryPoint(self, .take(run)) }

  @inline(__always)
  private func takeFirst(_ run: HandlerRun?) -> Taken<Output>? {
    perform { queue, actions in queue.take(run, at: service.now, &actions) }
  }

  func next(after delivery: Decided<Output>, until end: PacingInstant) -> Taken<Output>? {
    entryPoint(self, .next(after: delivery, until: end))
  }

  @inline(__always)
  private func takeNext(_ ended: Decided<Output>, _ end: PacingInstant) -> Taken<Output>? {
    perform { $0.next(after: ended, until: end, at: service.now, &$1) }
  }
}
