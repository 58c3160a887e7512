/// What a limit's queue guards with its lock: the state, the waiters, and what it owes them.
///
/// A waiter's grant counts from the latest of three instants: when its costs fit, when the queue
/// was served before (the *floor*: what was there then was spent, or open to every caller), and
/// `catchUp` before the present.
struct QueueContents {
  var state: LimitState
  let policy: QueuePolicy
  /// Whether the queue is that of a key, which is woken at the end of a pause to end with it.
  private let endsWithPause: Bool
  private(set) var waiters = WaiterList()
  var statistics = LimitStatistics()
  var timer = TimerEntry()
  /// Waiters that are decided and not told yet, in the order of the decisions.
  private var decided = FIFO<LimitWaiter>()
  /// Whether a thread is telling them; it looks again before it stops.
  private(set) var isTelling = false
  /// No grant to a waiter counts from before this instant.
  private var floor: PacingInstant
  /// When all that was due was served last: deadlines up to then have passed, although waiters may
  /// not be told yet.
  private var served: PacingInstant
  private var nextDue = PacingInstant.distantFuture
  /// The first waiter's deadline, as of then; `distantPast` if there was none.
  private var nextDeadline = PacingInstant.distantPast
  /// How much later the timer may wake the queue, so that waiters share wakes.
  private var slack: Nanoseconds = 0
  private var mustArm = false
  /// Whether a call has changed nothing for the first waiter since all that was due was served.
  private var isStillServed = false
  private(set) var isClosed = false
  /// Whether nothing waits or is paused, so that a call need not serve.
  private(set) var isPlain = true

  init(_ state: LimitState, _ policy: QueuePolicy, endsWithPause: Bool = false) {
    self.state = state
    self.policy = policy
    self.endsWithPause = endsWithPause
    floor = state.latest
    served = floor
  }

  private var isPaused: Bool { state.pausedUntil > state.latest }

  var isIdle: Bool { waiters.isEmpty && !isPaused && !isClosed }

  /// What a call leaves to do for its queue after the lock is released.
  struct Duties {
    let queue: any WaiterQueue
    let mustArm: Bool
    let mustTell: Bool

    @inline(__always)
    func fulfil(isOnTimer: Bool = false) {
      if mustArm { queue.service.arm() }
      if mustTell { queue.tell(isOnTimer: isOnTimer) }
    }
  }

  /// Clamps the time, and serves the waiters that are due, up to one that is about to leave.
  ///
  /// A caller that will wait behind them leaves those that share a wake to it.
  mutating func begin(
    at now: PacingInstant, sparing leaver: LimitWaiter? = nil, isPatient: Bool = false
  ) {
    state.advance(to: now)
    if isPlain { return }
    let latest = state.latest
    // A scope that has ended since moves a deadline later only.
    let isServed = latest < min(nextDue, nextDeadline)
    guard isServed, leaver == nil || waiters.first !== leaver else {
      let isLast = isPatient && !policy.newestFirst && policy.maximumWaiters == .max
      return isLast && latest < min(nextDue + slack, nextDeadline) ? () : serve(before: leaver)
    }
    // The last call served, and since then only time has passed.
    floor = latest
    served = latest
  }

  mutating func end(for queue: any WaiterQueue, in service: TimerService) -> Duties? {
    if isPlain, isIdle { return nil }
    if !isStillServed { serve(before: nil) }
    isStillServed = false
    isPlain = isIdle
    if waiters.isEmpty, endsWithPause, isPaused, !isClosed { nextDue = state.pausedUntil }
    if !timer.serves(nextDue, in: service) {
      let hasSlack = nextDue != .distantFuture && !waiters.isEmpty && service.isLazy
      slack = hasSlack ? state.spareTime(within: policy.catchUp / 10) : 0
      mustArm = timer.set(nextDue, tolerance: slack, for: queue, in: service) || mustArm
    }
    defer { mustArm = false }
    let mustTell = !decided.isEmpty && !isTelling
    isTelling = isTelling || mustTell
    guard mustArm || mustTell else { return nil }
    return Duties(queue: queue, mustArm: mustArm, mustTell: mustTell)
  }

  mutating func takeDecided() -> FIFO<LimitWaiter>? {
    isTelling = !decided.isEmpty
    guard isTelling else { return nil }
    defer { decided = FIFO() }
    return decided
  }

  private mutating func serve(before leaver: LimitWaiter?) {
    let latest = state.latest
    (nextDue, nextDeadline) = (.distantFuture, .distantPast)
    while let head = waiters.first {
      let (fit, deadline) = (state.fit(head.costs, behindWaiters: false), head.deadline)
      let isDue = fit.isDue(at: latest)
      let instant = fit.isRecorded ? latest : max(fit.instant, floor, latest - policy.catchUp)
      let isGranted = isDue && instant <= deadline && served < deadline
      guard head !== leaver else {
        // One whose costs had not come has held up those behind it until now.
        if !isGranted { floor = max(floor, min(deadline, latest)) }
        return
      }
      if isGranted {
        floor = max(floor, instant)
        state.spend(head.costs, at: instant, isOnTime: true)
        statistics.note(true, head.costs.total)
        decide(head, .granted(instant))
      } else if isDue || deadline <= latest {
        floor = max(floor, min(deadline, latest))
        refuse(head, at: deadline, dueAt: fit)
      } else {
        (nextDue, nextDeadline) = (fit.needsPermit ? .distantFuture : fit.instant, deadline)
        break
      }
    }
    floor = latest
    served = latest
  }

  private mutating func refuse(
    _ waiter: LimitWaiter, at deadline: PacingInstant, dueAt fit: LimitState.Fit
  ) {
    // What it would have waited at the least, if those ahead left.
    let due = max(fit.instant, deadline + 1)
    refuse(waiter, .deadline(neededWait: fit.needsPermit ? nil : due.wait(from: waiter.joined)))
  }

  private mutating func refuse(_ waiter: LimitWaiter, _ error: AcquireError) {
    statistics.note(false, 0)
    decide(waiter, .refused(error))
  }

  private mutating func decide(_ waiter: LimitWaiter, _ outcome: LimitWaiter.Outcome) {
    remove(waiter)
    waiter.outcome = outcome
    decided.append(waiter)
  }

  private mutating func remove(_ waiter: LimitWaiter) {
    waiters.remove(waiter)
    state.wait(waiter.costs, isLeaving: true)
    // Releases no user's value: the caller holds the waiter.
    if waiter.isTimed {
      _ = waiter.timer.set(.distantFuture, tolerance: 0, for: waiter, in: waiter.queue.service)
    }
  }

  /// As `tryAcquire` with that cost for each part, by a shorter way if nothing waits or is paused.
  @inline(__always)
  mutating func tryAcquire(_ cost: Int) -> Bool {
    guard isPlain else { return tryAcquire(Costs(cost)) }
    let isAllowed = state.tryAcquire(cost)
    statistics.note(isAllowed, cost)
    return isAllowed
  }

  @inline(__always)
  mutating func request(_ cost: Int) -> Decision {
    guard isPlain, state.bucket != nil else { return request(Costs(cost)) }
    let decision = state.bucket!.request(cost, at: state.latest)
    statistics.note(decision.isAllowed, cost)
    return decision
  }

  /// Spends costs that are available, if another limit grants too, which counts its refusal itself.
  mutating func tryAcquire(_ costs: Costs, and isGranted: () -> Bool = { true }) -> Bool {
    state.require(costs)
    guard isAllowed(costs) else { return spend(costs, if: false) }
    return isGranted() && spend(costs, if: true)
  }

  func peek(_ costs: Costs) -> Decision {
    var sum: Decision?
    forEachDecision(costs) { sum = sum?.combined(with: $0) ?? $0 }
    return isClosed ? .closed : sum ?? .closed
  }

  mutating func request(_ costs: Costs) -> Decision {
    let decision = peek(costs)
    _ = spend(costs, if: decision.isAllowed)
    return decision
  }

  mutating func requestEach(_ costs: Costs) -> [Decision] {
    var decisions = [Decision]()
    forEachDecision(costs) { decisions.append(isClosed ? .closed : $0) }
    _ = spend(costs, if: decisions.allSatisfy { $0.isAllowed })
    return decisions
  }

  private func forEachDecision(_ costs: Costs, _ body: (Decision) -> Void) {
    state.require(costs)
    state.forEachDecision(
      costs, hasWaiters: !waiters.isEmpty, isSpent: isAllowed(costs), body)
  }

  mutating func take(upTo count: Int) -> Int {
    ConfigurationError.requireCost(count)
    guard isIdle else { return 0 }
    let count = min(count, max(0, state.available))
    return count > 0 && tryAcquire(Costs(count)) ? count : 0
  }

  /// Whether costs are available and there are no waiters.
  private func isAllowed(_ costs: Costs) -> Bool {
    guard !isClosed else { return false }
    return waiters.isEmpty && state.holds(costs) || state.isFree(costs)
  }

  private mutating func spend(_ costs: Costs, if isAllowed: Bool) -> Bool {
    if isAllowed { state.spend(costs, at: state.latest) }
    statistics.note(isAllowed, costs.total)
    return isAllowed
  }

  mutating func settle(_ charged: Costs, as real: Costs, chargedAt instant: PacingInstant) {
    state.settle(charged, as: real, chargedAt: instant)
    statistics.tokens &+= real.total(settling: charged) &- charged.total
  }

  mutating func cancel(_ charged: Costs, chargedAt instant: PacingInstant) {
    state.giveBack(charged, chargedAt: instant)
    statistics.tokens &-= charged.total
  }

  /// Changes the settings of the state, in which no costs wait meanwhile.
  mutating func reconfigure(_ body: (inout LimitState) -> Void) {
    let all = waiters.all
    for waiter in all { state.wait(waiter.costs, isLeaving: true) }
    body(&state)
    for waiter in all { state.wait(waiter.costs) }
    for waiter in all {
      if let error = state.excess(waiter.costs) { refuse(waiter, error) }
    }
  }

  /// Gives a key its present limits, which count from the creation of its limiter.
  mutating func adopt(_ limits: KeyLimits, since origin: PacingInstant) {
    guard state.isOther(limits) else { return }
    reconfigure { $0.adopt(limits, since: origin) }
    serve(before: nil)
  }

  mutating func close(_ outcome: LimitWaiter.Outcome) {
    isClosed = true
    while let waiter = waiters.first {
      statistics.note(false, 0)
      decide(waiter, outcome)
    }
  }

  /// How a caller enters: it is decided at once, or waits.
  enum Entrance {
    case decided(LimitWaiter.Outcome)
    case waiting(LimitWaiter, expected: Duration?)
  }

  /// Grants a call, refuses it, or lets it wait in a queue; nil if it must wait and there is no
  /// queue.
  ///
  /// A stream waits outside the queue's bound, for a cost cut to what the limit can ever grant.
  mutating func enter(
    _ costs: Costs, within timeout: Duration?, as caller: LimitWaiter.Caller,
    on service: TimerService, in queue: (any WaiterQueue)?, _ completion: LimitWaiter.Completion?
  ) -> Entrance? {
    guard !isClosed else { return refusal(.closed) }
    state.require(costs)
    var costs = costs
    if caller == .stream, case .each(let cost) = costs.kind { costs = Costs(state.cut(cost)) }
    if state.isFree(costs) { return granted(costs) }
    if let error = state.excess(costs) { return refusal(error) }
    let isFirst = waiters.isEmpty || policy.newestFirst
    if isFirst, state.holds(costs) { return granted(costs) }

    let isFull = caller != .stream && waiters.boundCount >= policy.maximumWaiters
    let waits = timeout.map { $0 > .zero } ?? true
    let displaced =
      waits && isFull && policy.whenFull == .makeRoom
      ? waiters.oldest(newestFirst: policy.newestFirst) : nil
    let scope = caller == .task ? DeadlineInForce.current(on: service) : nil
    let end = timeout.map { state.latest + Nanoseconds(wait: $0) } ?? .distantFuture
    let deadline = min(end, scope.map { $0.deadline - 1 } ?? .distantFuture)
    var expected: Duration?
    // The wait of a task or stream without a deadline is not reckoned: nothing shows it.
    if caller == .completion || deadline != .distantFuture {
      if let displaced { state.wait(displaced.costs, isLeaving: true) }
      let fit = state.fit(costs, behindWaiters: !isFirst)
      if let displaced { state.wait(displaced.costs) }
      let due = max(fit.instant, state.latest)
      expected = fit.needsPermit ? nil : due.wait(from: state.latest)
      if !waits || due > deadline { return refusal(.deadline(neededWait: expected)) }
    }
    if isFull, displaced == nil { return refusal(queueIsFull) }
    guard let queue else { return nil }

    if let displaced { refuse(displaced, queueIsFull) }
    let waiter = LimitWaiter(
      costs, in: queue, joined: state.latest, until: end, scope, as: caller, completion,
      countedBy: service)
    waiters.insert(waiter, isFirst: policy.newestFirst)
    isStillServed = displaced == nil && !isFirst
    state.wait(costs)
    watch(waiter)
    return .waiting(waiter, expected: expected)
  }

  private mutating func watch(_ waiter: LimitWaiter) {
    guard waiter.isTimed else { return }
    let service = waiter.queue.service
    mustArm = waiter.timer.set(waiter.deadline, tolerance: 0, for: waiter, in: service) || mustArm
  }

  private var queueIsFull: AcquireError { .queueIsFull(maximumWaiters: policy.maximumWaiters) }

  private mutating func granted(_ costs: Costs) -> Entrance {
    state.spend(costs, at: state.latest)
    statistics.note(true, costs.total)
    return .decided(.granted(state.latest))
  }

  private mutating func refusal(_ error: AcquireError) -> Entrance {
    statistics.note(false, 0)
    return .decided(.refused(error))
  }

  /// Removes a waiter that leaves; false if it was already decided.
  mutating func withdraw(_ waiter: LimitWaiter) -> Bool {
    guard waiter.isWaiting else { return false }
    statistics.withdrawn &+= 1
    isStillServed = waiters.first !== waiter
    remove(waiter)
    return true
  }

  mutating func expire(_ waiter: LimitWaiter) {
    guard waiter.isWaiting else { return }
    let deadline = waiter.deadline
    // The scope of a deadline in force has ended.
    guard deadline <= state.latest else { return watch(waiter) }
    refuse(waiter, at: deadline, dueAt: state.fit(waiter.costs, behindWaiters: false))
  }
}

/// The waiters of a limit in the order of service, linked to one another.
///
/// - Complexity: Everything is O(1) but to walk along.
struct WaiterList {
  private(set) var first: LimitWaiter?
  private var last: LimitWaiter?
  private(set) var count = 0
  /// The number of those to which the queue's bound applies.
  private(set) var boundCount = 0

  var isEmpty: Bool { first == nil }

  var all: [LimitWaiter] { first.map { Array(sequence(first: $0) { $0.next }) } ?? [] }

  mutating func insert(_ waiter: LimitWaiter, isFirst: Bool) {
    if isFirst {
      waiter.next = first
      first?.previous = waiter
      first = waiter
      if last == nil { last = waiter }
    } else {
      waiter.previous = last
      last?.next = waiter
      last = waiter
      if first == nil { first = waiter }
    }
    note(waiter, isWaiting: true)
  }

  mutating func remove(_ waiter: LimitWaiter) {
    let (previous, next) = (waiter.previous.take(), waiter.next.take())
    if let previous { previous.next = next } else { first = next }
    if let next { next.previous = previous } else { last = previous }
    note(waiter, isWaiting: false)
  }

  private mutating func note(_ waiter: LimitWaiter, isWaiting: Bool) {
    waiter.isWaiting = isWaiting
    count += isWaiting ? 1 : -1
    if !waiter.isStream { boundCount += isWaiting ? 1 : -1 }
  }

  /// The waiter to which the bound applies and that joined first.
  func oldest(newestFirst: Bool) -> LimitWaiter? {
    var waiter = newestFirst ? last : first
    while let exempt = waiter, exempt.isStream {
      waiter = newestFirst ? exempt.previous : exempt.next
    }
    return waiter
  }
}
