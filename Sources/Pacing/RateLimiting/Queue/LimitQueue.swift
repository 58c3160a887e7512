/// A limit's lock, waiters and timer around its state; an opaque handle.
///
/// Each call serves the waiters that are due, does one thing, and serves again: so a late timer
/// changes no order, and a call never overtakes. A grant and a withdrawal are decided under one
/// lock: the first one wins.
///
/// ## Concurrency
/// Thread-safe. Outcomes are told after the lock is released, by one thread at a time, in the order
/// of the decisions. The limit that owns the queue may be dropped meanwhile.
public final class LimitQueue: WaiterQueue, @unchecked Sendable {
  let service: TimerService
  private let lock = Lock()
  // Accessed only under the lock, by one thread at a time, which makes a dynamic exclusivity check
  // redundant.
  @safe @exclusivity(unchecked)
  private var contents: QueueContents

  init(_ policy: QueuePolicy, service: TimerService, _ makeState: (PacingInstant) -> LimitState) {
    self.service = service
    contents = QueueContents(makeState(service.now), policy)
  }

  @usableFromInline
  func tryAcquire(_ cost: Int) -> Bool {
    ConfigurationError.requireCost(cost)
    return decide { $0.tryAcquire(cost) }
  }

  @usableFromInline
  func request(_ cost: Int) -> Decision {
    ConfigurationError.requireCost(cost)
    return decide { $0.request(cost) }
  }

  /// As `update`, for a call that never waits; if nothing waits or is paused, past the queue.
  @inline(__always)
  func decide<Answer>(_ body: (inout QueueContents) -> Answer) -> Answer {
    lock.acquire()
    // Before the guard, which `body` would have to repeat after it.
    let now = service.now
    guard contents.isPlain else {
      lock.release()
      return update(body)
    }
    defer { lock.release() }
    contents.state.advance(to: now)
    return body(&contents)
  }

  /// As `tryAcquire`, under the lock of another limit; the duties are fulfilled after that.
  func tryAcquire(_ costs: Costs, _ duties: inout QueueContents.Duties?) -> Bool {
    lock.acquire()
    defer { lock.release() }
    contents.begin(at: service.now)
    defer { duties = contents.end(for: self, in: service) }
    return contents.tryAcquire(costs)
  }

  /// Serves the waiters that are due, queries or changes the limit, and serves again.
  func update<Result>(
    sparing leaver: LimitWaiter? = nil, _ body: (inout QueueContents) -> Result
  ) -> Result {
    begin(sparing: leaver)
    defer { end() }
    return body(&contents)
  }

  @inline(never)
  private func begin(sparing leaver: LimitWaiter? = nil, isPatient: Bool = false) {
    lock.acquire()
    contents.begin(at: service.now, sparing: leaver, isPatient: isPatient)
  }

  @inline(never)
  private func end() {
    let duties = contents.end(for: self, in: service)
    lock.release()
    duties?.fulfil()
  }

  func attend(
    sparing leaver: LimitWaiter?, isOnTimer: Bool, _ body: (inout QueueContents) -> Void
  ) {
    update(sparing: leaver, body)
  }

  func takeDecided(isOnTimer: Bool) -> FIFO<LimitWaiter>? {
    lock.acquire()
    defer { lock.release() }
    return contents.takeDecided()
  }

  func close(_ outcome: LimitWaiter.Outcome) { update { $0.close(outcome) } }

  func enter(
    _ costs: Costs, within timeout: Duration?, as caller: LimitWaiter.Caller,
    _ completion: LimitWaiter.Completion? = nil
  ) -> QueueContents.Entrance {
    begin(isPatient: timeout == nil)
    defer { end() }
    return contents.enter(costs, within: timeout, as: caller, on: service, in: self, completion)
      ?? .decided(.ended)
  }

  func acquire(
    _ costs: Costs, within timeout: Duration? = nil, as caller: LimitWaiter.Caller = .task
  ) async throws -> Charge {
    let outcome = await LimitWaiter.take { enter(costs, within: timeout, as: caller) }
    return Charge(queue: self, costs: costs, instant: try outcome.get())
  }

  /// Inlined, so that the waiter's closure need not retain another one.
  @inline(__always)
  func acquire<Success: Sendable>(
    _ costs: Costs, within timeout: Duration?, for owner: any AnyObject & Sendable,
    on place: Place, _ completion: @escaping @Sendable (Result<Success, AcquireError>) -> Void,
    _ success: @escaping @Sendable (Charge) -> Success
  ) -> Acquisition {
    let complete = place.completion(for: owner, in: service) {
      completion($0.map { success(Charge(queue: self, costs: costs, instant: $0)) })
    }
    return Acquisition(enter(costs, within: timeout, as: .completion, complete), complete)
  }

  /// Takes a cost for a stream, nil at its end; a cost above the capacity takes the capacity.
  func takeNext(_ cost: Int) async -> PacingInstant? {
    await LimitWaiter.takeNext { enter(Costs(cost), within: nil, as: .stream) }
  }
}

/// What waiters stand in: the queue of a limit, or that of a key.
protocol WaiterQueue: TimerTarget {
  var service: TimerService { get }

  /// Serves the waiters that are due, up to one that is about to leave, changes the queue, and
  /// serves again.
  func attend(
    sparing leaver: LimitWaiter?, isOnTimer: Bool, _ body: (inout QueueContents) -> Void)

  /// The decided waiters, which the caller tells in their order; nil if there are none.
  func takeDecided(isOnTimer: Bool) -> FIFO<LimitWaiter>?
}

extension WaiterQueue {
  /// Called for the first waiter, or at the end of a key's pause.
  package func wake(_ handle: TimerService.Handle) {
    attend(sparing: nil, isOnTimer: true) { $0.timer.fired(handle) }
  }

  func expire(_ waiter: LimitWaiter, _ handle: TimerService.Handle) {
    attend(sparing: nil, isOnTimer: true) {
      waiter.timer.fired(handle)
      $0.expire(waiter)
    }
  }

  /// Removes a waiter that leaves; false if it was already decided.
  @discardableResult
  func withdraw(_ waiter: LimitWaiter) -> Bool {
    var isFirst = false
    attend(sparing: waiter, isOnTimer: false) { isFirst = $0.withdraw(waiter) }
    if isFirst { waiter.tell() }
    return isFirst
  }

  func tell(isOnTimer: Bool) {
    while var decided = takeDecided(isOnTimer: isOnTimer) {
      while let waiter = decided.popFirst() { waiter.tell() }
    }
  }
}

/// A caller that waits for a limit: its place, the target of its timeout, a task's suspension.
final class LimitWaiter: Suspension, TimerTarget, @unchecked Sendable {
  enum Caller {
    /// A task, which a deadline in force binds.
    case task
    /// A completion, or the reader of an operator.
    case completion
    /// A stream, to which the queue's bound does not apply, because it cannot be told of a refusal.
    case stream
  }

  enum Outcome: Sendable {
    case granted(PacingInstant)
    case refused(AcquireError)
    /// The caller left or the limit was dropped first; nothing was taken.
    case ended

    func get() throws -> PacingInstant {
      switch self {
      case .granted(let instant): return instant
      case .refused(let error): throw error
      case .ended: throw CancellationError()
      }
    }
  }

  /// Called with the outcome, outside every lock.
  typealias Completion = @Sendable (Outcome) -> Void

  let queue: any WaiterQueue
  // Beside each other, where they take no word of their own.
  let costs: Costs
  let isStream: Bool
  @safe @exclusivity(unchecked) var isWaiting = false
  let joined: PacingInstant
  private let end: PacingInstant
  private let scope: DeadlineInForce?
  /// What is told; nil for a task, which is resumed.
  private let completion: Completion?

  // Guarded by the queue's lock, the outcome until it is told; so no dynamic check is needed.
  @safe @exclusivity(unchecked) var outcome = Outcome.ended
  @safe @exclusivity(unchecked) var next: LimitWaiter?
  @safe @exclusivity(unchecked) var previous: LimitWaiter?
  @safe @exclusivity(unchecked) var timer = TimerEntry()

  init(
    _ costs: Costs, in queue: any WaiterQueue, joined: PacingInstant, until end: PacingInstant,
    _ scope: DeadlineInForce?, as caller: Caller, _ completion: Completion?,
    countedBy service: TimerService
  ) {
    self.queue = queue
    self.costs = costs
    self.joined = joined
    self.end = end
    self.scope = scope
    isStream = caller == .stream
    self.completion = completion
    super.init(countedBy: completion == nil ? service.manual : nil)
  }

  /// The latest instant from which a grant may count; a scope that has ended binds no more.
  var deadline: PacingInstant {
    if let scope, scope.isOpen { min(end, scope.deadline - 1) } else { end }
  }

  var isTimed: Bool { scope != nil || end != .distantFuture }

  func wake(_ handle: TimerService.Handle) { queue.expire(self, handle) }

  /// Delivers the outcome, outside every lock.
  func tell() { if let completion { completion(outcome) } else { end() } }

  static func take(_ enter: () -> QueueContents.Entrance) async -> Outcome {
    guard !Task.isCancelled else { return .ended }
    switch enter() {
    case .decided(let outcome): return outcome
    case .waiting(let waiter, _):
      await withTaskCancellationHandler {
        await waiter.wait()
      } onCancel: {
        waiter.queue.withdraw(waiter)
      }
      return waiter.outcome
    }
  }

  static func takeNext(_ enter: () -> QueueContents.Entrance) async -> PacingInstant? {
    while true {
      switch await take(enter) {
      case .granted(let instant): return instant
      // A change of the limit has refused the cost, which can be cut.
      case .refused(.exceedsBurst): continue
      case .refused, .ended: return nil
      }
    }
  }
}

extension Place {
  /// Tells a completion its outcome, and retains the limit until then, so that it ends no sooner.
  ///
  /// What it captures is released where it has run, not on the telling thread, maybe the timer's.
  func completion(
    for owner: any AnyObject & Sendable, in service: TimerService,
    _ completion: @escaping @Sendable (Result<PacingInstant, AcquireError>) -> Void
  ) -> LimitWaiter.Completion {
    // One object, so that the closure needs no memory of its own.
    let waiting = Locked<Waiting?>(
      Waiting(place: self, service: service, owner: owner, body: completion))
    return { outcome in
      let result: Result<PacingInstant, AcquireError>
      switch outcome {
      case .granted(let instant): result = .success(instant)
      case .refused(let error): result = .failure(error)
      case .ended: return waiting.release { $0.take() }
      }
      guard let (place, service) = waiting.withLock({ $0.map { ($0.place, $0.service) } }) else {
        return
      }
      place.perform(in: service) {
        let waiting = waiting.withLock { $0.take() }
        waiting?.body(result)
      }
    }
  }

  private struct Waiting {
    let place: Place
    let service: TimerService
    let owner: any AnyObject & Sendable
    let body: @Sendable (Result<PacingInstant, AcquireError>) -> Void
  }
}
