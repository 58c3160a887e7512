extension RateLimiterState: QueuedLimit {
  package typealias Place = WaiterQueue<Payload>.Place

  package var deadline: PacingInstant {
    waiters.firstCost.map { max(latest, limits.earliest(for: $0)) } ?? .distantFuture
  }

  package func canPay(_ cost: Int) -> Bool { cost <= capacity }

  package mutating func waitForNewcomer(
    _ cost: Int, without leaving: Place?, at now: PacingInstant
  ) -> Nanoseconds {
    advance(to: now)
    let ahead = waiters.isNewestFirst ? Projection(limits, latest) : behindQueue(without: leaving)
    return max(0, max(ahead.instant, ahead.limits.earliest(for: cost)) - latest)
  }

  package mutating func join(
    _ cost: Int, as payload: Payload, within timeout: Nanoseconds? = nil
  ) -> Place {
    if waiters.isNewestFirst {
      projection = nil
      noteDelay()
    } else {
      var behind = behindQueue()
      serve(cost, from: &behind)
      projection = behind
    }
    let deadline = timeout.map { latest + $0 } ?? .distantFuture
    return waiters.insert(payload, .init(cost: cost, deadline: deadline))
  }

  package mutating func grantNext(at now: PacingInstant) -> Payload? {
    guard let cost = waiters.firstCost else { return nil }
    advance(to: now)
    let due = limits.earliest(for: cost)
    guard due <= latest else { return nil }
    // Whoever is served late puts off all the others.
    if due < latest || waiters.count == 1 { projection = nil }
    limits.spend(cost, at: latest, isAwaited: true)
    statistics.note(true, cost)
    return waiters.popFirst()
  }

  package mutating func remove(_ place: Place) -> Payload? {
    projection = nil
    return waiters.remove(place)
  }

  package mutating func refuseHopeless(
    at now: PacingInstant
  ) -> [(payload: Payload, error: AcquireError)] {
    guard mayBeHopeless else { return [] }
    mayBeHopeless = false
    advance(to: now)
    var behind = Projection(limits, latest)
    var hopeless = [(place: Place, error: AcquireError)]()
    waiters.forEach { place, request in
      let before = behind
      serve(request.cost, from: &behind)
      guard behind.instant > request.deadline else { return }
      let wait = Duration(nanoseconds: behind.instant - latest)
      hopeless.append((place, .deadline(neededWait: wait)))
      behind = before
    }
    statistics.refused &+= hopeless.count
    return hopeless.compactMap { place, error in remove(place).map { ($0, error) } }
  }
}

extension RateLimiterState {
  /// What someone finds who does not wait, but asks for `cost` now or again, and from when on.
  mutating func aheadOfAsker(_ cost: Int) -> Projection {
    guard waiters.isNewestFirst, (1...capacity).contains(cost) else { return behindQueue() }
    // The newest is served first, but those who wait are served before he comes.
    var ahead = Projection(limits, latest)
    var next = waiters.firstPlace
    while let place = next {
      var after = ahead
      serve(waiters.request(place).cost, from: &after)
      guard after.instant <= max(ahead.instant, ahead.limits.earliest(for: cost)) else { break }
      ahead = after
      next = waiters.place(after: place)
    }
    return ahead
  }

  /// When nothing is remembered any more, if `cost` is spent now and all who wait are served.
  mutating func resetsAt(spending cost: Int) -> PacingInstant {
    guard cost > 0, !waiters.isEmpty else {
      let behind = behindQueue()
      return behind.limits.resetsAt(spending: cost, at: behind.instant)
    }
    var behind = Projection(limits, latest)
    behind.limits.spend(cost, at: latest, isAwaited: false)
    serveQueue(from: &behind)
    return behind.limits.resetsAt(spending: 0, at: behind.instant)
  }

  /// What someone at the end of the queue will find, and from when on, if `leaving` made way.
  private mutating func behindQueue(without leaving: Place? = nil) -> Projection {
    if leaving == nil, let projection { return projection }
    var behind = Projection(limits, latest)
    guard !waiters.isEmpty else { return behind }
    serveQueue(without: leaving, from: &behind)
    if leaving == nil { projection = behind }
    return behind
  }

  private func serveQueue(without leaving: Place? = nil, from behind: inout Projection) {
    waiters.forEach { place, request in
      if place != leaving { serve(request.cost, from: &behind) }
    }
  }

  private func serve(_ cost: Int, from behind: inout Projection) {
    behind.instant = max(behind.instant, behind.limits.earliest(for: cost))
    behind.limits.spend(cost, at: behind.instant, isAwaited: true)
  }
}
