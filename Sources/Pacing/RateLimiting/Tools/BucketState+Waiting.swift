extension BucketState: QueuedLimit {
  package typealias Place = WaiterQueue<Payload>.Place

  package var capacity: Int { level.scale.burst }

  /// The instant at which the first in the queue can be served, `distantFuture` where nobody waits.
  package var deadline: PacingInstant {
    guard let spend = headSpend(at: level.scale.time(latest)) else { return .distantFuture }
    return instant(spend.due)
  }

  // MARK: Coming and going

  /// Whether someone who waits can have `cost`, now or ever.
  package func canPay(_ cost: Int) -> Bool { level.canPay(cost) }

  /// How long someone would wait who comes now, if `leaving` made way for him.
  package mutating func waitForNewcomer(
    _ cost: Int, without leaving: Place?, at now: PacingInstant
  ) -> Nanoseconds {
    let now = advance(to: now)
    var plan = planForNewcomer(at: now, without: leaving)
    return wait(until: plan.place(cost, on: level.scale, among: pins).due)
  }

  /// Puts someone in the queue, whom `admit` has sent there.
  package mutating func join(
    _ cost: Int, as payload: Payload, within timeout: Nanoseconds? = nil
  ) -> Place {
    if waiters.isNewestFirst { noteDelay() }
    if waiters.isEmpty || waiters.isNewestFirst { beginSaving(at: latest) }
    let deadline = timeout.map { latest + $0 } ?? .distantFuture
    return waiters.insert(payload, .init(cost: cost, deadline: deadline))
  }

  /// Takes someone out of the queue, nil where he was served or has left.
  package mutating func remove(_ place: Place) -> Payload? {
    if place == waiters.firstPlace { beginSaving(at: latest) }
    return waiters.remove(place)
  }

  // MARK: Serving

  /// Serves the first in the queue, if his tokens have come by `now`.
  package mutating func grantNext(at now: PacingInstant) -> Payload? {
    guard let cost = waiters.firstCost else { return nil }
    let now = moveOn(to: now)
    // What falls due within this nanosecond is spent in the order of its exact times.
    spendPins(until: now.adding(-Int128(level.scale.unitsPerNanosecond)))
    guard let spend = headSpend(at: now), instant(spend.due) <= latest else { return nil }
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
    let now = advance(to: now)
    var plan = plan(from: earliest(from: now))
    var refused = [(place: Place, error: AcquireError)]()
    waiters.forEach { place, request in
      guard level.canPay(request.cost) else {
        refused.append((place, .exceedsBurst(cost: request.cost, burst: level.scale.burst)))
        return
      }
      let before = plan
      let due = instant(self.plan(place, in: &plan).due)
      guard due > request.deadline else { return }
      plan = before
      refused.append((place, .deadline(neededWait: Duration(nanoseconds: due - latest))))
    }
    statistics.refused &+= refused.count
    return refused.compactMap { place, error in remove(place).map { ($0, error) } }
  }
}

extension BucketState {
  /// What is planned before someone who comes now: those who wait, unless he is served before them.
  func planForNewcomer(at now: Int128, without leaving: Place? = nil) -> SpendPlan {
    var plan = plan(from: earliest(from: now))
    guard !waiters.isEmpty, !waiters.isNewestFirst else { return plan }
    // With nobody ahead but the queue its waits add up: they leave no time in which the bucket is
    // full.
    if pins.isEmpty, level.scale.grid == nil, !isHeadSaving {
      let tokens = waiters.tokens - (leaving.map { Int128(waiters.request($0).cost) } ?? 0)
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
    var next = waiters.isNewestFirst ? waiters.firstPlace : nil
    while true {
      var plan = before
      let due = plan.place(cost, on: level.scale, among: pins, atWholeNanosecond: true).due
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
    return plan.place(waiters.request(place).cost, on: level.scale, among: pins)
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
      return plan.place(cost, on: level.scale, among: pins)
    }
    guard !isHeadSaving else { return spend(from: savingSince) }
    let start = earliest(from: now.adding(-Int128(level.scale.unitsPerNanosecond)))
    let onTime = spend(from: start)
    return onTime.at > start ? onTime : spend(from: earliest(from: now))
  }

  private var isHeadSaving: Bool {
    waiters.firstCost.map { !level.canHold($0) } ?? false
  }

  /// The instant at which a caller learns of that time, pauses included.
  func instant(_ time: Int128) -> PacingInstant {
    max(level.scale.instant(time), pausedUntil ?? latest)
  }
}
