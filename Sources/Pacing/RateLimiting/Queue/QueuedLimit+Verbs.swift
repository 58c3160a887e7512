/// The verbs of every limit.
extension QueuedLimit {
  /// Spends `cost` if it is available and there are no waiters.
  package mutating func tryAcquire(_ cost: Int, at now: PacingInstant) -> Bool {
    ConfigurationError.requireCost(cost)
    advance(until: now)
    let isAllowed = !isClosed && (cost == 0 || isThere(cost))
    if isAllowed { charge(cost, at: now) }
    statistics.note(isAllowed, cost)
    return isAllowed
  }

  private func isThere(_ cost: Int) -> Bool {
    canPay(cost) && waiters.isEmpty && projection(startsWithHead: false).due(cost) <= latest
  }

  /// Spends `cost` if it is available and there are no waiters, and reports what to tell the
  /// caller.
  package mutating func request(_ cost: Int, at now: PacingInstant) -> Decision {
    let decision = peek(cost, at: now)
    if decision.isAllowed { charge(cost, at: now) }
    statistics.note(decision.isAllowed, cost)
    return decision
  }

  /// Spends as much as is available, up to `count`.
  package mutating func take(upTo count: Int, at now: PacingInstant) -> Int {
    ConfigurationError.requireCost(count)
    let count = min(count, peek(0, at: now).remaining)
    guard count > 0 else { return 0 }
    charge(count, at: now)
    statistics.note(true, count)
    return count
  }

  private mutating func charge(_ cost: Int, at now: PacingInstant) {
    guard cost > 0 else { return }
    spend(cost, at: now)
    noteDelay()
  }

  /// Notes that waiters may be served later than planned.
  mutating func noteDelay() {
    mayBeHopeless = mayBeHopeless || waiters.timedCount > 0
  }
}

extension QueuedLimit {
  /// Grants a cost immediately, refuses it, or sends the caller to the queue.
  ///
  /// A wait of exactly `timeout` is granted, a longer one is refused immediately; nil is no bound.
  /// The queue's bound does not apply to a caller that may always `join`.
  package mutating func admit(
    _ cost: Int, within timeout: Nanoseconds?, mayAlwaysJoin: Bool = false, at now: PacingInstant
  ) -> Admission {
    let admission = decide(cost, within: timeout, mayAlwaysJoin: mayAlwaysJoin, at: now)
    switch admission {
    case .granted: statistics.note(true, cost)
    case .refused: statistics.note(false, cost)
    case .mustWait: break
    }
    return admission
  }

  private mutating func decide(
    _ cost: Int, within timeout: Nanoseconds?, mayAlwaysJoin: Bool, at now: PacingInstant
  ) -> Admission {
    ConfigurationError.requireCost(cost)
    advance(until: now)
    guard !isClosed else { return .refused(.closed) }
    guard cost > 0 else { return .granted }
    guard canPay(cost) else { return .refused(.exceedsBurst(cost: cost, burst: capacity)) }
    let isFull = !mayAlwaysJoin && waiters.isFull
    let leaving = isFull ? waiters.replaceable : nil
    // Waiters ahead are served first, even if immediately.
    let mustJoin = !waiters.isNewestFirst && (!waiters.isEmpty || leaving != nil)
    if !mustJoin || timeout.map({ !isCertain(cost, within: $0) }) ?? false {
      let wait = waitForNewcomer(cost, without: leaving, at: now)
      if let timeout, wait > timeout {
        return .refused(.deadline(neededWait: Duration(nanoseconds: wait)))
      }
      if wait == 0, !mustJoin {
        charge(cost, at: now)
        return .granted
      }
    }
    return isFull && leaving == nil
      ? .refused(.queueIsFull(maximumWaiters: waiters.policy.maximumWaiters)) : .mustWait
  }
}

extension ConfigurationError {
  @inline(__always)
  package static func requireCost(_ cost: Int) {
    require(cost >= 0, "cost", cost, must: "not be negative")
  }
}
