extension BucketState: QueuedLimit {
  package typealias Place = WaiterQueue<Payload>.Place

  /// How many wait.
  package var waitingCount: Int { waiters.count }

  /// How many may wait.
  package var queueLimit: Int { queue.limit }

  /// The instant at which the first in the queue can be served, `distantFuture` where nobody waits.
  package var deadline: PacingInstant {
    guard let spend = headSpend(at: level.scale.time(level.latest)) else { return .distantFuture }
    return instant(spend.due)
  }

  // MARK: Coming and going

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
    BucketLevel.requireCost(cost)
    let now = advance(to: now)
    guard !isClosed else { return .refused(.closed) }
    guard cost > 0 else { return .granted }
    guard level.canPay(cost) else {
      return .refused(.exceedsBurst(cost: cost, burst: level.scale.burst))
    }
    let isFull = !mayAlwaysJoin && waiters.count >= queue.limit
    let leaving = isFull && queue.whenFull.dropsOldest ? oldest : nil
    var plan = planForNewcomer(at: now, without: leaving)
    let spend = plan.place(cost, on: level, among: pins)
    let wait = wait(until: spend.due)
    if let timeout, wait > timeout {
      return .refused(.deadline(neededWait: Duration(nanoseconds: wait)))
    }
    // Whoever stands before him is served first, though it be at once.
    if wait == 0, leaving == nil || queue.order.isNewestFirst {
      self.spend(cost, at: spend.at)
      return .granted
    }
    return isFull && leaving == nil ? .refused(.queueIsFull(limit: queue.limit)) : .mustWait
  }

  /// Takes the oldest out of a queue that is full, where one of those whom `admit` has sent there
  /// wants to join it.
  package mutating func displace() -> Payload? {
    guard waiters.count >= queue.limit, let oldest else { return nil }
    statistics.refused &+= 1
    return remove(oldest)
  }

  /// Puts someone in the queue, whom `admit` has sent there.
  package mutating func join(
    _ cost: Int, as payload: Payload, within timeout: Nanoseconds? = nil
  ) -> Place {
    if queue.order.isNewestFirst { noteDelay() }
    if waiters.isEmpty || queue.order.isNewestFirst { beginSaving(at: level.latest) }
    let deadline = timeout.map { level.latest + $0 } ?? .distantFuture
    return waiters.insert(
      payload, .init(cost: cost, deadline: deadline), atFront: queue.order.isNewestFirst)
  }

  /// Takes someone out of the queue, nil where he was served or has left.
  package mutating func withdraw(_ place: Place) -> Payload? {
    let payload = remove(place)
    if payload != nil { statistics.withdrawn &+= 1 }
    return payload
  }

  /// Takes the first out of the queue, nil where nobody waits.
  package mutating func withdrawFirst() -> Payload? {
    waiters.firstPlace.flatMap { withdraw($0) }
  }

  // MARK: Serving

  /// Serves the first in the queue, if his tokens have come by `now`.
  package mutating func grantNext(at now: PacingInstant) -> Payload? {
    guard let cost = waiters.firstCost else { return nil }
    let now = moveOn(to: now)
    // What falls due within this nanosecond is spent in the order of its exact times.
    spendPins(until: now.adding(-Int128(level.scale.unitsPerNanosecond)))
    guard let spend = headSpend(at: now), instant(spend.due) <= level.latest else { return nil }
    spendPins(until: spend.at)
    self.spend(cost, at: spend.at)
    statistics.note(true, cost)
    savingSince = spend.due
    return waiters.popFirst()
  }

  /// Takes those out of the queue who cannot be served in time any more, or not at all.
  ///
  /// - Complexity: O(n) in the number of those who wait and of reservations.
  package mutating func refuseHopeless(
    at now: PacingInstant
  ) -> [(payload: Payload, error: AcquireError)] {
    guard mayBeHopeless else { return [] }
    mayBeHopeless = false
    var plan = plan(from: earliest(from: advance(to: now)))
    var refused = [(place: Place, error: AcquireError)]()
    waiters.forEach { place, wish in
      guard level.canPay(wish.cost) else {
        refused.append((place, .exceedsBurst(cost: wish.cost, burst: level.scale.burst)))
        return
      }
      let before = plan
      let due = instant(self.plan(place, in: &plan).due)
      guard due > wish.deadline else { return }
      plan = before
      refused.append((place, .deadline(neededWait: Duration(nanoseconds: due - level.latest))))
    }
    statistics.refused &+= refused.count
    return refused.compactMap { place, error in remove(place).map { ($0, error) } }
  }
}

extension BucketState {
  /// What is planned before someone who comes now: those who wait, unless he is served before them.
  func planForNewcomer(at now: Int128, without leaving: Place? = nil) -> SpendPlan {
    var plan = plan(from: earliest(from: now))
    guard !waiters.isEmpty, !queue.order.isNewestFirst else { return plan }
    // With nobody ahead but the queue its waits add up: they leave no time in which the bucket is
    // full.
    if pins.isEmpty, level.scale.grid == nil, !isHeadSaving {
      let tokens = waiters.tokens - (leaving.map { Int128(waiters.wish($0).cost) } ?? 0)
      plan.fullAt = max(plan.fullAt, plan.earliest).adding(level.scale.units(tokens))
      return plan
    }
    waiters.forEach { place, _ in
      if place != leaving { _ = self.plan(place, in: &plan) }
    }
    return plan
  }

  /// How long until someone has the cost who does not wait, but asks again.
  func waitForAsker(_ cost: Int, after newcomers: SpendPlan) -> Nanoseconds {
    var before = newcomers
    // The newest is served first, but those who wait are served before he comes.
    var next = queue.order.isNewestFirst ? waiters.firstPlace : nil
    while true {
      var plan = before
      let due = plan.place(cost, on: level, among: pins, atWholeNanosecond: true).due
      guard let place = next, instant(self.plan(place, in: &before).due) <= instant(due) else {
        return wait(until: due)
      }
      next = waiters.place(after: place)
    }
  }

  /// The time from which the first in the queue saves up.
  mutating func beginSaving(at instant: PacingInstant) {
    savingSince = level.scale.time(instant)
  }

  private func plan(_ place: Place, in plan: inout SpendPlan) -> SpendPlan.Spend {
    if isHeadSaving, place == waiters.firstPlace { plan.earliest = savingSince }
    return plan.place(waiters.wish(place).cost, on: level, among: pins)
  }

  /// When the first in the queue spends.
  ///
  /// Tokens fall due between two nanoseconds. Whoever is served in the very next one was on time,
  /// and the fraction is not lost, so that a queue does not drift; whoever is served later was
  /// late, and time in which the bucket was full is gone.
  private func headSpend(at now: Int128) -> SpendPlan.Spend? {
    guard let cost = waiters.firstCost else { return nil }
    func spend(from time: Int128) -> SpendPlan.Spend {
      var plan = plan(from: time)
      return plan.place(cost, on: level, among: pins)
    }
    guard !isHeadSaving else { return spend(from: savingSince) }
    let start = earliest(from: now.adding(-Int128(level.scale.unitsPerNanosecond)))
    let onTime = spend(from: start)
    return onTime.at > start ? onTime : spend(from: earliest(from: now))
  }

  private var isHeadSaving: Bool {
    waiters.firstCost.map { !level.canHold($0) } ?? false
  }

  private var oldest: Place? {
    queue.order.isNewestFirst ? waiters.lastPlace : waiters.firstPlace
  }

  /// The instant at which a caller learns of that time, pauses included.
  func instant(_ time: Int128) -> PacingInstant {
    max(level.scale.instant(time), pausedUntil ?? level.latest)
  }

  private mutating func remove(_ place: Place) -> Payload? {
    if place == waiters.firstPlace { beginSaving(at: level.latest) }
    return waiters.remove(place)
  }
}
