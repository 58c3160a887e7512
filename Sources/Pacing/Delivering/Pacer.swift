/// The shell around every pure state: the lock, the timer, and the life cycle of a delivery.
///
///     pending ──due──▶ decided ──its queue begins it──▶ running ──▶ done
///        └────────── cancel ──────────┘
///
/// The handler's `Overlap` limits how many may be decided or running at a time. What falls due
/// beyond that is held in the state, by the state's own rule, and decided when a running delivery
/// ends. So a slow handler needs no queue, and memory is bounded.
///
/// ## Concurrency
/// Every call reads the clock under the lock, so time never runs backwards inside a tool. Mailboxes
/// are filled under the lock, in decision order. Handlers, continuations, arming the timer service,
/// and releasing users' values come after unlocking.
///
/// A subclass for each concrete state overrides what is called without knowing it, and calls
/// `super` there: the compiler specialises only what it finds in a concrete type, and the generic
/// versions would request their types from the runtime at every call.
class Pacer<State: PacedState>: TimerTarget, DeliverySource, @unchecked Sendable {
  typealias Output = State.Output

  private final let lock = Lock()
  // Accessed only under the lock, by one thread at a time, which makes a dynamic exclusivity check
  // redundant.
  @safe @exclusivity(unchecked)
  final var queue: DeliveryQueue<State>
  final let service: TimerService
  final let tolerance: Nanoseconds

  /// How long a handler continues with further deliveries before it yields its place to others.
  private static var turnLength: Nanoseconds { 200_000 }

  @inline(__always)
  init(_ state: consuming State, tolerance: Duration = .zero, service: TimerService) {
    self.service = service
    self.tolerance = Nanoseconds(wait: tolerance)
    queue = DeliveryQueue(state)
    // A state that delivers even without input, such as a grid, starts by itself.
    if queue.deadline != .distantFuture { perform { _ in } }
  }

  // MARK: What subclasses override

  func wake(_ handle: TimerService.Handle) {
    perform(isOnTimer: true) { queue in
      queue.timer.fired(handle)
      queue.decide(at: service.now)
    }
  }

  func deliver() {
    var next = perform { queue in queue.take(nil, at: service.now) }
    let end = service.now + Self.turnLength
    while let taken = next.take() {
      // A task that waits for the end of a run may rely on the closure being released by then.
      let delivery = (consume taken).run()
      next = perform { queue in queue.next(after: delivery, until: end, at: service.now) }
    }
  }

  func start(_ run: HandlerRun) -> Started? {
    guard let taken = perform({ $0.take(run, at: service.now) }) else { return nil }
    let delivery = taken.delivery
    let end = { @Sendable [self] in
      _ = perform { $0.next(after: delivery, until: .distantPast, at: service.now) }
    }
    guard case .asynchronous(let body) = taken.body else {
      end()
      return nil
    }
    return ({ await body(delivery.output, run) }, end)
  }

  final func leave() { perform { queue in queue.leave(at: service.now) } }

  // MARK: Calls

  /// Decides what is due, applies a change, and decides again: a value, a flush, a finish.
  @inline(__always)
  final func update<Result>(_ change: (inout State, PacingInstant) -> Result) -> Result {
    let now = enter()
    defer { leave(at: now) }
    return change(&queue.state, now)
  }

  /// Changes the state before deciding what is due by now: a reset.
  final func overrule<Result>(_ change: (inout State, PacingInstant) -> Result) -> Result {
    lock.acquire()
    let now = service.now
    defer { leave(at: now) }
    return change(&queue.state, now)
  }

  /// As `update`; nil, without a change, while a decided delivery has not begun.
  final func updateUnlessDecided<Result>(
    _ change: (inout State, PacingInstant) -> Result
  ) -> Result? {
    let now = enter()
    defer { leave(at: now) }
    return queue.hasUndelivered ? nil : change(&queue.state, now)
  }

  /// Withdraws what has not begun, before anything else is decided, and returns it, oldest first:
  /// what `cancel` removes from the state, and the decided deliveries that match.
  final func withdrawAll(
    where isIncluded: @Sendable (Output) -> Bool = { _ in true },
    _ cancel: (inout State) -> [Output] = { $0.cancelAll() }
  ) -> [Output] {
    perform { queue in queue.withdraw(cancel(&queue.state), where: isIncluded) }
  }

  /// As `withdrawAll`, with a verb of the state that returns one output, and without an array if
  /// that is all there is; returns the newest output withdrawn.
  final func withdraw(_ cancel: (inout State) -> Output? = { $0.cancel() }) -> Output? {
    // The older outputs are released outside the lock.
    let (only, all): (Output?, [Output]) = perform { queue in
      let output = cancel(&queue.state)
      guard queue.isPlain else { return (nil, queue.withdraw(output.map { [$0] } ?? [])) }
      if let output { queue.drop(output, .cancelled, isReturned: true) }
      return (output, [])
    }
    return only ?? all.last
  }

  final func attach(_ handler: consuming Handler<Output>) {
    lock.acquire()
    queue.attach(handler)
    unlock()
  }

  /// Drops what is pending and lets decided deliveries run; called by a tool's deinit.
  final func abandon() { perform { $0.abandon() } }

  // MARK: Queries

  @inline(__always)
  final func read<Result>(_ query: (borrowing DeliveryQueue<State>) -> Result) -> Result {
    lock.acquire()
    defer { lock.release() }
    return query(queue)
  }

  final var isDeserted: Bool {
    let (hasLeft, start) = read { ($0.hasHandler && $0.handler == nil, $0.handler?.start) }
    return hasLeft || start?.isDeserted == true
  }

  /// Sets the observer of undelivered outputs, replacing an earlier one; any thread may call one
  /// that runs no user code, at once.
  final func observeDrops(
    isAtOnce: Bool = false, _ body: @escaping @Sendable (Output, DropReason) -> Void
  ) { perform { $0.setDropObserver(body, isAtOnce: isAtOnce) } }

  /// Reports an output that the state did not take.
  final func report(_ output: Output, _ why: DropReason) { perform { $0.report(output, why) } }

  // MARK: Streams and tasks that wait

  /// A consumer of everything decided from now on, which keeps `kept` alive until it has gone: its
  /// stream and iterators were released, or its task was cancelled.
  final func consumer(keeping kept: (any AnyObject & Sendable)? = nil) -> Mailbox<Output>.Consumer {
    Subscription(to: subscribe(), keeping: kept) { [weak self] mailbox in
      let waiting = mailbox.end()
      _ = mailbox.withdraw()
      self?.perform { $0.consumerLeft() }
      waiting?.resume()
    }
  }

  final func subscribe() -> Mailbox<Output> {
    let now = enter()
    defer { leave(at: now) }
    return queue.addMailbox()
  }

  /// As `update`, such as with a flush; then waits until the handlers of everything flushed,
  /// decided or running have ended, regardless of later values.
  @discardableResult
  final func waitForHandler(
    after change: (inout State, PacingInstant) -> Bool = { _, _ in false }
  ) async -> Bool {
    let wait = OneShot<Void>()
    let now = enter()
    let result = change(&queue.state, now)
    queue.end(wait)
    leave(at: now)
    if let manual = service.manual {
      await manual.outcome(of: wait)
    } else {
      await wait.outcome()
    }
    return result
  }

  // MARK: The lock

  /// Takes the lock, and decides what is due: an input comes after all that was due before it.
  @inline(__always)
  final func enter() -> PacingInstant {
    lock.acquire()
    let now = service.now
    return queue.deadline > now ? now : decide(at: now)
  }

  /// Decides what is due; if that is a lot, in several holds of the lock.
  @inline(never)
  private final func decide(at now: PacingInstant) -> PacingInstant {
    var now = now
    while !queue.decide(at: now) {
      unlock()
      lock.acquire()
      now = service.now
    }
    return now
  }

  /// Releases the lock after a change, and does what follows from it.
  @inline(__always)
  final func leave(at now: PacingInstant) {
    if queue.isSettled(at: now, in: service) { lock.release() } else { settle(at: now) }
  }

  /// Decides what is due after a change, drops what there is no room for, and releases the lock.
  @inline(never)
  final func settle(at now: PacingInstant) {
    _ = decide(at: now)
    while let output = queue.state.takeExcess() { queue.drop(output, .overflow) }
    unlock()
  }

  /// Ends what is over, releases the lock, and does what is owed.
  @inline(__always)
  private final func unlock(isOnTimer: Bool = false) {
    queue.resumeWaiters()
    if queue.isOver { unlockAtEnd(isOnTimer) } else { unlockInTime(isOnTimer) }
  }

  /// As `unlockInTime`, and releases the handler after that.
  @inline(never)
  private final func unlockAtEnd(_ isOnTimer: Bool) {
    var ended = queue.close()
    // The deinit of what it captures is the user's code: no timer waits for it, and reports, which
    // may need it, are made before.
    if isOnTimer || queue.owed.hasReports, let handler = ended.take() {
      queue.owed.release(handler)
    }
    unlockInTime(isOnTimer)
    withExtendedLifetime(ended) {}
  }

  /// Updates the timer, releases the lock, and does what is owed.
  @inline(never)
  private final func unlockInTime(_ isOnTimer: Bool) {
    var mustArm = false
    let deadline = queue.deadline
    if !queue.timer.serves(deadline, in: service), queue.mustSetTimer(to: deadline, in: service) {
      mustArm = queue.timer.set(deadline, tolerance: tolerance, for: self, in: service)
    }
    guard mustArm || !queue.owesNothing else { return lock.release() }
    var (owed, beginnings) = (UnlockActions(), Int32(0))
    swap(&owed, &queue.owed)
    swap(&beginnings, &queue.owedBeginnings)
    let start = beginnings > 0 ? queue.handler?.start : nil
    lock.release()
    if mustArm { service.arm() }
    owed.perform(in: service, isOnTimer: isOnTimer)
    for _ in 0..<beginnings { start?(self, in: service) }
  }

  /// Runs `body` under the lock, without a decision before it.
  @inline(__always)
  private final func perform<Result>(
    isOnTimer: Bool = false, _ body: (inout DeliveryQueue<State>) -> Result
  ) -> Result {
    lock.acquire()
    defer { unlock(isOnTimer: isOnTimer) }
    return body(&queue)
  }
}
