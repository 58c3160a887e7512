/// A limit's lock, waiters and timer around its state; an opaque handle.
///
/// A limit that wraps another one returns the wrapped limit's queue, and has all of its verbs then.
///
/// Each call serves the waiters that are due, does one thing, and serves again: so a late timer
/// changes no order, and a call never overtakes. A grant and a withdrawal are decided under one
/// lock: the first one wins.
///
/// ## Concurrency
/// Thread-safe. Outcomes are told after the lock is released, by one thread at a time, in the order
/// of the decisions. The limit that owns the queue may be dropped meanwhile.
public final class LimitQueue: TimerTarget, @unchecked Sendable {
  let service: TimerService
  private let lock = Lock()
  // Accessed only under the lock, by one thread at a time, which makes a dynamic exclusivity check
  // redundant.
  @exclusivity(unchecked)
  private var contents: QueueContents
  /// Called outside the lock whenever the queue has no waiters and no pause: that of a key ends.
  private let whenIdle: WhenIdle?

  typealias WhenIdle = @Sendable (LimitQueue, _ isOnTimer: Bool) -> Void

  init(
    _ policy: QueuePolicy, service: TimerService,
    whenIdle: WhenIdle? = nil, _ makeState: (PacingInstant) -> LimitState
  ) {
    self.service = service
    self.whenIdle = whenIdle
    contents = QueueContents(makeState(service.now), policy, endsWhenIdle: whenIdle != nil)
  }

  // MARK: Calls

  /// Spends a cost if it is available and there are no waiters.
  @inline(__always)
  func tryAcquire(_ cost: Int) -> Bool {
    ConfigurationError.requireCost(cost)
    lock.acquire()
    if contents.isPlain {
      let isAllowed = contents.tryPlainly(cost, at: service.now)
      lock.release()
      return isAllowed
    }
    lock.release()
    return tryAcquire(Costs(cost))
  }

  func tryAcquire(_ costs: Costs) -> Bool { update { $0.tryAcquire(costs) } }

  /// As `tryAcquire`, and reports what to tell the caller.
  func request(_ cost: Int) -> Decision {
    ConfigurationError.requireCost(cost)
    lock.acquire()
    if contents.isPlain {
      let decision = contents.requestPlainly(cost, at: service.now)
      lock.release()
      return decision
    }
    lock.release()
    return request(Costs(cost))
  }

  func request(_ costs: Costs) -> Decision { update { $0.request(costs) } }

  /// Serves the waiters that are due, queries or changes the limit, and serves again.
  func update<Result>(_ body: (inout QueueContents) -> Result) -> Result {
    guard let result = attempt(body) else { preconditionFailure("only a key's queue ends") }
    return result
  }

  /// As `update`; nil if this is the queue of a key and has ended, so that the caller must look the
  /// key up again.
  func attempt<Result>(
    sparing leaver: LimitWaiter? = nil, isOnTimer: Bool = false,
    _ body: (inout QueueContents) -> Result
  ) -> Result? {
    guard let (result, duties) = hold(sparing: leaver, body) else { return nil }
    fulfil(duties, isOnTimer: isOnTimer)
    return result
  }

  /// What a call leaves to do after the lock is released.
  struct Duties {
    fileprivate let mustArm: Bool
    fileprivate let mustTell: Bool
    fileprivate let isIdle: Bool
  }

  /// As `attempt`, for a caller that holds other locks, and fulfils the duties once it does not.
  @inline(__always)
  func hold<Result>(
    sparing leaver: LimitWaiter? = nil, _ body: (inout QueueContents) -> Result
  ) -> (Result, Duties)? {
    lock.acquire()
    guard !contents.hasEnded else {
      lock.release()
      return nil
    }
    contents.begin(at: service.now, sparing: leaver)
    let result = body(&contents)
    let duties = Duties(
      mustArm: contents.end(for: self, in: service), mustTell: contents.decided.mustTell(),
      isIdle: contents.isIdle)
    lock.release()
    return (result, duties)
  }

  func fulfil(_ duties: Duties, isOnTimer: Bool = false) {
    if duties.mustArm { service.arm() }
    if duties.mustTell { tell() }
    if duties.isIdle, let whenIdle { whenIdle(self, isOnTimer) }
  }

  /// Tells the decided waiters, without holding the lock.
  private func tell() {
    while true {
      lock.acquire()
      let next = contents.decided.next()
      lock.release()
      guard let next else { return }
      next.waiter.tell(next.outcome)
    }
  }

  /// What it has decided, and the number of its waiters, without serving any.
  var counts: (LimitStatistics, Int) {
    lock.acquire()
    defer { lock.release() }
    return (contents.statistics, contents.waiters.count)
  }

  /// Ends the queue of a key, and returns what is left of it; nil if something has come meanwhile.
  func end() -> (stamp: KeyStamp, statistics: LimitStatistics)? {
    lock.acquire()
    defer { lock.release() }
    guard contents.isIdle, let bucket = contents.state.bucket else { return nil }
    contents.hasEnded = true
    return (bucket.stamp, contents.statistics)
  }

  /// Closes the limit: waiters are told `outcome`, and later callers are refused.
  func close(_ outcome: LimitWaiter.Outcome) {
    _ = attempt { $0.close(outcome) }
  }

  // MARK: Waiting

  /// How a caller enters: it is decided at once, or waits.
  enum Entrance {
    case decided(LimitWaiter.Outcome)
    case waiting(LimitWaiter, expected: Duration?)
  }

  /// Takes costs, or joins the queue; nil if this is the queue of a key and has ended.
  ///
  /// A deadline in force binds a caller that must wait if it `isBound`.
  func enter(
    _ costs: Costs, within timeout: Nanoseconds?, isExempt: Bool = false, isBound: Bool = false,
    adopting quota: Quota? = nil, _ tell: () -> @Sendable (LimitWaiter.Outcome) -> Void
  ) -> Entrance? {
    attempt { contents in
      if let quota { contents.adopt(quota) { _ in } }
      let entrance = contents.enter(
        costs, within: timeout, before: isBound ? DeadlineInForce.instant(on: service) : nil,
        isExempt: isExempt)
      switch entrance {
      case .decided(let outcome): return .decided(outcome)
      case .joins(let admission):
        let waiter = LimitWaiter(
          admission.costs, in: self, joined: contents.state.latest,
          deadline: admission.deadline, isExempt: isExempt, tell())
        contents.join(waiter, displacing: admission.displaced, in: service)
        return .waiting(waiter, expected: admission.expected)
      }
    }
  }

  /// Takes costs, or waits for them until the task is cancelled.
  func take(
    _ costs: Costs, within timeout: Nanoseconds?, isExempt: Bool = false
  ) async -> LimitWaiter.Outcome {
    await Self.take(countedBy: service) {
      enter(costs, within: timeout, isExempt: isExempt, isBound: !isExempt, $0)
        ?? .decided(.ended)
    }
  }

  /// Lets a task wait for its turn, until it is cancelled.
  static func take(
    countedBy service: TimerService,
    _ enter: (_ tell: () -> @Sendable (LimitWaiter.Outcome) -> Void) -> Entrance
  ) async -> LimitWaiter.Outcome {
    guard !Task.isCancelled else { return .withdrawn }
    var turn: OneShot<LimitWaiter.Outcome>?
    let entrance = enter {
      let made = OneShot<LimitWaiter.Outcome>(countedBy: service)
      turn = made
      return { made.resolve($0) }
    }
    switch entrance {
    case .decided(let outcome): return outcome
    case .waiting(let waiter, _):
      guard let turn else { return .ended }
      return await withTaskCancellationHandler {
        await turn.outcome()
      } onCancel: {
        waiter.queue.withdraw(waiter)
      }
    }
  }

  /// Removes a waiter that leaves; false if it was already decided.
  @discardableResult
  func withdraw(_ waiter: LimitWaiter) -> Bool {
    let isFirst = attempt(sparing: waiter) { $0.withdraw(waiter) } ?? false
    if isFirst { waiter.tell(.withdrawn) }
    return isFirst
  }

  // MARK: Timers

  /// Called for the first waiter, or at the end of a key's pause.
  package func wake(_ handle: TimerService.Handle) {
    _ = attempt(isOnTimer: true) { $0.timer.fired(handle) }
  }

  /// Refuses a waiter whose deadline has passed.
  func expire(_ waiter: LimitWaiter, _ handle: TimerService.Handle) {
    _ = attempt(isOnTimer: true) { contents in
      waiter.timer.fired(handle)
      contents.expire(waiter)
    }
  }
}

/// A caller that waits for a limit: a place in its queue, and the target of its own timeout.
///
/// Its variables belong to the queue, whose lock guards them.
final class LimitWaiter: TimerTarget, @unchecked Sendable {
  let queue: LimitQueue
  let costs: Costs
  /// The instant of the call.
  let joined: PacingInstant
  /// The latest instant from which a grant may count.
  let deadline: PacingInstant
  /// Whether the queue's bound does not apply to it.
  let isExempt: Bool
  /// Delivers the outcome, outside every lock.
  let tell: @Sendable (Outcome) -> Void

  // Guarded by the queue's lock, which makes a dynamic exclusivity check redundant.
  @exclusivity(unchecked) var next: LimitWaiter?
  @exclusivity(unchecked) var previous: LimitWaiter?
  @exclusivity(unchecked) var isWaiting = false
  @exclusivity(unchecked) var timer = TimerEntry()

  /// How a wait ends.
  enum Outcome: Sendable {
    /// Granted, counting from that instant.
    case granted(PacingInstant)
    /// Refused; nothing was taken.
    case refused(AcquireError)
    /// The caller left first; nothing was taken.
    case withdrawn
    /// The limit was dropped.
    case ended
  }

  init(
    _ costs: Costs, in queue: LimitQueue, joined: PacingInstant, deadline: PacingInstant,
    isExempt: Bool, _ tell: @escaping @Sendable (Outcome) -> Void
  ) {
    self.queue = queue
    self.costs = costs
    self.joined = joined
    self.deadline = deadline
    self.isExempt = isExempt
    self.tell = tell
  }

  func wake(_ handle: TimerService.Handle) { queue.expire(self, handle) }

  /// The wait that a refusal names, which would have ended at an instant.
  func wait(until instant: PacingInstant) -> Duration? { instant.wait(from: joined) }
}

/// The ways to wait for a limit: async, with a completion, and as a stream.
extension LimitQueue {
  func acquire(_ costs: Costs, within timeout: Duration?) async throws -> Charge {
    let outcome = await take(costs, within: timeout.map(Nanoseconds.init(wait:)))
    return Charge(queue: self, costs: costs, instant: try outcome.get())
  }

  /// Acquires costs for a completion, whose argument is made of the charge.
  func acquire<Success: Sendable>(
    _ costs: Costs, within timeout: Duration?, for owner: any AnyObject & Sendable,
    _ callback: Callback<Result<Success, AcquireError>>,
    _ success: @escaping @Sendable (Charge) -> Success
  ) -> Acquisition {
    let timeout = timeout.map(Nanoseconds.init(wait:))
    let tell = callback.teller(for: owner, in: service) {
      success(Charge(queue: self, costs: costs, instant: $0))
    }
    let entrance = enter(costs, within: timeout) { tell } ?? .decided(.ended)
    if case .decided(let outcome) = entrance { tell(outcome) }
    return Acquisition(entrance)
  }

  /// Takes costs for a stream, nil at its end; a cost above the capacity takes the capacity.
  func takeNext(_ cost: Int) async -> PacingInstant? {
    await Self.takeNext { await take(Costs(cost), within: nil, isExempt: true) }
  }

  /// Repeats what a change of the limit has refused, because its cost can be cut.
  static func takeNext(_ take: () async -> LimitWaiter.Outcome) async -> PacingInstant? {
    while true {
      switch await take() {
      case .granted(let instant): return instant
      case .refused(let error) where error.reason == .exceedsBurst: continue
      case .refused, .withdrawn, .ended: return nil
      }
    }
  }
}

extension LimitWaiter.Outcome {
  /// The instant of the grant, or the error of a task.
  func get() throws -> PacingInstant {
    switch self {
    case .granted(let instant): return instant
    case .refused(let error): throw error
    case .withdrawn, .ended: throw CancellationError()
    }
  }
}

extension Callback {
  /// What tells a completion its outcome, and retains the limit until then, so that it does not end
  /// first.
  ///
  /// What the completion captures is released where it has run, not on the thread that tells it,
  /// which may be the timer's.
  func teller<Success>(
    for owner: any AnyObject & Sendable, in service: TimerService,
    _ success: @escaping @Sendable (PacingInstant) -> Success
  ) -> @Sendable (LimitWaiter.Outcome) -> Void where Output == Result<Success, AcquireError> {
    let waiting = Locked<(owner: any AnyObject & Sendable, body: @Sendable (Output) -> Void)?>(
      (owner, body))
    return { [place] outcome in
      let result: Output
      switch outcome {
      case .granted(let instant): result = .success(success(instant))
      case .refused(let error): result = .failure(error)
      case .withdrawn, .ended: return waiting.release { $0.take() }
      }
      place.perform(in: service) {
        let waiting = waiting.withLock { $0.take() }
        waiting?.body(result)
      }
    }
  }
}

extension Grant {
  /// Numbers the grants.
  static func stream(
    _ takeNext: @escaping @Sendable () async -> PacingInstant?
  ) -> AsyncStream<Grant> {
    let count = Locked(0)
    return AsyncStream {
      guard let instant = await takeNext() else { return nil }
      let index = count.withLock { count in
        count += 1
        return count - 1
      }
      return Grant(index: index, instant: instant)
    }
  }
}
