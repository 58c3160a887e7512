/// What every limit does in the same way, whatever it counts.
extension QueuedLimit {
  /// Spends `cost` if it is there and nobody waits for it.
  package mutating func tryAcquire(_ cost: Int, at now: PacingInstant) -> Bool {
    request(cost, at: now).isAllowed
  }

  /// Spends `cost` if it is there and nobody waits for it, and says what the caller can be told.
  package mutating func request(_ cost: Int, at now: PacingInstant) -> Decision {
    let decision = peek(cost, at: now)
    if decision.isAllowed { charge(cost, at: now) }
    statistics.note(decision.isAllowed, cost)
    return decision
  }

  /// Spends as much as is there, up to `count`.
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

  /// Notes that those who wait may come later than they were told.
  mutating func noteDelay() {
    mayBeHopeless = mayBeHopeless || waiters.timedCount > 0
  }
}

extension QueuedLimit {
  /// How many wait.
  package var waitingCount: Int { waiters.count }

  /// Serves a caller at once, sends him to the queue, or refuses him.
  ///
  /// A wait of exactly `timeout` is still granted, one that is longer is refused here and now; nil
  /// is as long as it takes. The queue's limit does not concern someone who may always `join`.
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
    guard !isClosed else { return .refused(.closed) }
    guard cost > 0 else { return .granted }
    guard canPay(cost) else { return .refused(.exceedsBurst(cost: cost, burst: capacity)) }
    let isFull = !mayAlwaysJoin && waiters.isFull
    let leaving = isFull ? waiters.replaceable : nil
    let wait = waitForNewcomer(cost, without: leaving, at: now)
    if let timeout, wait > timeout {
      return .refused(.deadline(neededWait: Duration(nanoseconds: wait)))
    }
    // Whoever stands before him is served first, though it be at once.
    if wait == 0, leaving == nil || waiters.isNewestFirst {
      charge(cost, at: now)
      return .granted
    }
    return isFull && leaving == nil
      ? .refused(.queueIsFull(limit: waiters.policy.limit)) : .mustWait
  }

  /// Takes the oldest out of a queue that is full, where one of those whom `admit` has sent there
  /// wants to join it.
  package mutating func displace() -> Payload? {
    guard waiters.isFull, let oldest = waiters.oldest else { return nil }
    statistics.refused &+= 1
    return remove(oldest)
  }

  /// Takes someone out of the queue who wants to leave, nil where he was served or has left.
  package mutating func withdraw(_ place: Place) -> Payload? {
    let payload = remove(place)
    if payload != nil { statistics.withdrawn &+= 1 }
    return payload
  }

  /// Takes the first out of the queue to be refused, nil where nobody waits.
  package mutating func refuseFirst() -> Payload? {
    guard let first = waiters.firstPlace else { return nil }
    statistics.refused &+= 1
    return remove(first)
  }
}

extension ConfigurationError {
  @inline(__always)
  static func requireCost(_ cost: Int) {
    require(cost >= 0, "cost", cost, must: "not be negative")
  }
}
