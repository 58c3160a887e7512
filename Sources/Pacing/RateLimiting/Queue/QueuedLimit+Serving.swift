/// The queue of every limit: joining, serving, refusing and leaving.
extension QueuedLimit {
  package var waitingCount: Int { waiters.count }

  /// How far before the present a grant may count.
  var catchUp: Nanoseconds { waiters.policy.catchUp }

  /// Puts a caller in the queue after `admit` returned `mustWait`.
  package mutating func join(
    _ cost: Int, as payload: Payload, within timeout: Nanoseconds? = nil, isExempt: Bool = false
  ) -> Place {
    if waiters.isEmpty { noteServed() }
    if waiters.isNewestFirst { noteDelay() }
    let deadline = timeout.map { latest + $0 } ?? .distantFuture
    if waiters.isEmpty || waiters.isNewestFirst { noteNewHead() }
    forecastJoin(cost, until: deadline)
    return waiters.insert(
      payload, .init(cost: cost, joined: latest, deadline: deadline, isExempt: isExempt))
  }

  /// Serves the first waiter if it is due by `now`; one whose deadline has passed goes to
  /// `overdue`.
  ///
  /// A waiter that is about to leave is not served: its turn passes to the next one.
  package mutating func grantNext(at now: PacingInstant, before leaver: Place? = nil) -> Payload? {
    while let request = waiters.firstRequest, let turn = headTurn(at: now) {
      guard waiters.firstPlace != leaver else { return nil }
      guard turn.instant <= request.deadline else {
        refuse(waiters.firstPlace, .deadline(neededWait: request.wait(until: turn.instant)))
        continue
      }
      serveHead(request.cost, in: turn)
      countedFrom = turn.instant
      if turn.delay > 0 { noteDelay() }
      statistics.note(true, request.cost)
      return waiters.popFirst()
    }
    noteServed()
    return nil
  }

  private mutating func refuse(_ place: Place?, _ error: AcquireError) {
    guard let place, let payload = remove(place) else { return }
    statistics.refused &+= 1
    overdue.append((payload, error))
  }

  /// Removes the waiters that can no longer be served in time, or at all.
  ///
  /// - Complexity: O(log n) in the number of waiters for each refusal, after a change that may have
  ///   made one hopeless; O(n) if waiters must be placed one by one, as among reservations or in
  ///   several limits when a delay comes near a deadline.
  package mutating func refuseHopeless(at now: PacingInstant) -> [Refusal] {
    if mayBeHopeless {
      mayBeHopeless = false
      advance(until: now)
      refuseLate()
    }
    guard !overdue.isEmpty else { return [] }
    defer { overdue = [] }
    return overdue
  }

  private mutating func refuseLate() {
    while true {
      let mustPlaceAll = mustReviewCosts
      mustReviewCosts = false
      switch mustPlaceAll ? .unknown : firstLate() {
      case .none: return
      case .unknown:
        for (place, error) in hopeless() { refuse(place, error) }
        return
      case .waiter(let place, let due):
        refuse(place, .deadline(neededWait: waiters.request(place).wait(until: due)))
      }
    }
  }

  private mutating func hopeless() -> [(Place, AcquireError)] {
    var ahead = projection(startsWithHead: true)
    var hopeless = [(Place, AcquireError)]()
    waiters.forEach { place, request in
      guard canPay(request.cost) else {
        hopeless.append((place, .exceedsBurst(cost: request.cost, burst: capacity)))
        return
      }
      if request.isTimed {
        let due = ahead.due(request.cost)
        guard due <= request.deadline else {
          hopeless.append((place, .deadline(neededWait: request.wait(until: due))))
          return
        }
      }
      ahead.place(request.cost)
    }
    return hopeless
  }

  /// Serves the whole queue, except one that leaves, in a projection.
  func placeQueue(without leaving: Place? = nil, in projection: inout Projection) {
    waiters.forEach { place, request in
      if place != leaving { projection.place(request.cost) }
    }
  }

  // MARK: Leaving

  /// Removes the oldest waiter of a full queue, to make way for a caller that is about to join.
  package mutating func displace() -> Payload? {
    guard waiters.isFull, let oldest = waiters.oldest else { return nil }
    statistics.refused &+= 1
    return remove(oldest)
  }

  /// Removes a waiter that leaves the queue, nil if it was already served or has left.
  package mutating func withdraw(_ place: Place) -> Payload? {
    let payload = remove(place)
    if payload != nil { statistics.withdrawn &+= 1 }
    return payload
  }

  /// Removes the first waiter to refuse it, nil without waiters.
  package mutating func refuseFirst() -> Payload? {
    guard let first = waiters.firstPlace else { return nil }
    statistics.refused &+= 1
    return remove(first)
  }

  private mutating func remove(_ place: Place) -> Payload? {
    guard waiters.contains(place) else { return nil }
    if place == waiters.firstPlace { noteNewHead() }
    forecastLeave(place)
    return waiters.remove(place)
  }
}
