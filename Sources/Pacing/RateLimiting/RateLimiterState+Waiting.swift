extension RateLimiterState: QueuedLimit {
  package typealias Place = WaiterQueue<Payload>.Place

  package var waitingCount: Int { waiters.count }

  package var deadline: PacingInstant {
    waiters.firstCost.map { max(latest, limits.earliest(for: $0)) } ?? .distantFuture
  }

  package mutating func admit(
    _ cost: Int, within timeout: Nanoseconds?, at now: PacingInstant
  ) -> Admission {
    advance(to: now)
    guard let wait = wait(for: cost) else {
      return .refused(.exceedsBurst(cost: cost, burst: limits.capacity))
    }
    if let timeout, wait > timeout {
      return .refused(.deadline(neededWait: Duration(nanoseconds: wait)))
    }
    guard wait == 0 else { return .mustWait }
    if cost > 0 { limits.spend(cost, at: latest, isAwaited: false) }
    return .granted
  }

  package mutating func join(_ cost: Int, as payload: Payload) -> Place {
    var behind = limitsBehindQueue()
    serve(cost, from: &behind)
    outlook = behind
    return waiters.append(payload, cost: cost)
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

  /// What someone at the end of the queue will find, and from when on.
  mutating func limitsBehindQueue() -> Outlook {
    if let outlook { return outlook }
    var behind = Outlook(limits, latest)
    guard !waiters.isEmpty else { return behind }
    waiters.forEachCost { serve($0, from: &behind) }
    outlook = behind
    return behind
  }

  private func serve(_ cost: Int, from behind: inout Outlook) {
    behind.instant = max(behind.instant, behind.limits.earliest(for: cost))
    behind.limits.spend(cost, at: behind.instant, isAwaited: true)
  }
}
