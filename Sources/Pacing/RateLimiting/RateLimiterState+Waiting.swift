extension RateLimiterState: QueuedLimit {
  package typealias Place = WaiterQueue<Payload>.Place

  package var waitingCount: Int { waiters.count }

  package var deadline: PacingInstant {
    waiters.firstCost.map { max(latest, limits.earliest(for: $0)) } ?? .distantFuture
  }

  package mutating func admit(
    _ cost: Int, within timeout: Nanoseconds?, mayAlwaysJoin: Bool = true, at now: PacingInstant
  ) -> Admission {
    requireCost(cost)
    advance(to: now)
    guard !isClosed else { return .refused(.closed) }
    guard let earliest = earliest(for: cost) else {
      return .refused(.exceedsBurst(cost: cost, burst: limits.capacity))
    }
    let wait = max(0, earliest - latest)
    if let timeout, wait > timeout {
      return .refused(.deadline(neededWait: Duration(nanoseconds: wait)))
    }
    guard wait == 0 else { return .mustWait }
    if cost > 0 { limits.spend(cost, at: latest, isAwaited: false) }
    return .granted
  }

  package var queueLimit: Int { .max }

  package mutating func displace() -> Payload? { nil }

  package mutating func join(
    _ cost: Int, as payload: Payload, within timeout: Nanoseconds? = nil
  ) -> Place {
    var behind = limitsBehindQueue()
    serve(cost, from: &behind)
    outlook = behind
    let deadline = timeout.map { latest + $0 } ?? .distantFuture
    return waiters.insert(payload, .init(cost: cost, deadline: deadline))
  }

  package mutating func grantNext(at now: PacingInstant) -> Payload? {
    advance(to: now)
    guard let cost = waiters.firstCost else { return nil }
    let due = limits.earliest(for: cost)
    guard due <= latest else { return nil }
    // Whoever is served late puts off all the others.
    if due < latest || waiters.count == 1 { outlook = nil }
    limits.spend(cost, at: latest, isAwaited: true)
    return waiters.popFirst()
  }

  package mutating func withdraw(_ place: Place) -> Payload? {
    outlook = nil
    return waiters.remove(place)
  }

  package mutating func withdrawFirst() -> Payload? {
    outlook = nil
    return waiters.popFirst()
  }

  package mutating func refuseHopeless(
    at now: PacingInstant
  ) -> [(payload: Payload, error: AcquireError)] {
    guard mayBeHopeless else { return [] }
    mayBeHopeless = false
    advance(to: now)
    var behind = Outlook(limits, latest)
    var hopeless = [(place: Place, error: AcquireError)]()
    waiters.forEach { place, wish in
      let before = behind
      serve(wish.cost, from: &behind)
      guard behind.instant > wish.deadline else { return }
      let wait = Duration(nanoseconds: behind.instant - latest)
      hopeless.append((place, .deadline(neededWait: wait)))
      behind = before
    }
    return hopeless.compactMap { place, error in withdraw(place).map { ($0, error) } }
  }

  /// What someone at the end of the queue will find, and from when on.
  mutating func limitsBehindQueue() -> Outlook {
    if let outlook { return outlook }
    var behind = Outlook(limits, latest)
    guard !waiters.isEmpty else { return behind }
    waiters.forEach { _, wish in serve(wish.cost, from: &behind) }
    outlook = behind
    return behind
  }

  private func serve(_ cost: Int, from behind: inout Outlook) {
    behind.instant = max(behind.instant, behind.limits.earliest(for: cost))
    behind.limits.spend(cost, at: behind.instant, isAwaited: true)
  }
}
