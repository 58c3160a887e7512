extension BucketState: QueuedLimit {
  package typealias Place = WaiterQueue<Payload>.Place

  /// How many wait.
  package var waitingCount: Int { waiters.count }

  /// The instant at which the first in the queue can be served, `distantFuture` where nobody waits.
  package var deadline: PacingInstant {
    guard let dueAt = headDueAt else { return .distantFuture }
    return PacingInstant(nanoseconds: scale.nanoseconds(dueAt))
  }

  /// Serves a caller at once, sends him to the queue, or refuses him.
  ///
  /// A wait of exactly `timeout` is still granted, one that is longer is refused here and now; nil is
  /// as long as it takes.
  package mutating func admit(
    _ cost: Int, within timeout: Nanoseconds?, at now: PacingInstant
  ) -> Admission {
    let now = advance(to: now)
    guard let wait = wait(for: cost, at: now) else {
      return .refused(.exceedsBurst(cost: cost, burst: scale.burst))
    }
    if let timeout, wait > timeout {
      return .refused(.deadline(neededWait: Duration(nanoseconds: wait)))
    }
    guard wait == 0 else { return .mustWait }
    if cost > 0 { spend(cost, at: now) }
    return .granted
  }

  /// Puts someone at the end of the queue, whom `admit` has sent there.
  package mutating func join(_ cost: Int, as payload: Payload) -> Place {
    waiters.append(payload, cost: cost)
  }

  /// Serves the first in the queue, if his tokens have come by `now`.
  package mutating func grantNext(at now: PacingInstant) -> Payload? {
    let now = advance(to: now)
    guard let cost = waiters.firstCost, let dueAt = headDueAt, dueAt <= now else { return nil }
    // Tokens fall due between two nanoseconds. Whoever is served in the very next one was on time,
    // and the fraction is not lost, so that a queue does not drift; whoever is served later was
    // late, and time in which the bucket was full is gone.
    let isOnTime = now - dueAt < Int128(scale.rate.tokens)
    let start = isOnTime ? fullAt : max(fullAt, now)
    fullAt = start + scale.time(tokens: cost)
    return waiters.popFirst()
  }

  /// Takes someone out of the queue, nil where he was served or has left.
  package mutating func withdraw(_ place: Place) -> Payload? {
    waiters.remove(place)
  }

  /// Takes the first out of the queue, nil where nobody waits.
  package mutating func withdrawFirst() -> Payload? {
    waiters.popFirst()
  }

  private var headDueAt: Int128? {
    waiters.firstCost.map { fullAt - (scale.capacity - scale.time(tokens: $0)) }
  }
}
