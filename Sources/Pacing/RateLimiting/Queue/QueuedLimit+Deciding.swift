/// What a `LimitQueue` asks of every limit.
extension QueuedLimit {
  /// Serves the waiters that are due, except one that is about to leave.
  private mutating func serve(
    at now: PacingInstant, before leaver: Place? = nil,
    telling decided: inout DecidedRequests<Payload>
  ) {
    while let request = grantNext(at: now, before: leaver) {
      decided.append(request, .granted(countedFrom))
    }
  }

  /// Serves the waiters that are due, and refuses those that can no longer be served in time.
  package mutating func review(
    at now: PacingInstant, telling decided: inout DecidedRequests<Payload>
  ) {
    serve(at: now, telling: &decided)
    let refused = refuseHopeless(at: now)
    guard !refused.isEmpty else { return }
    for refusal in refused { decided.append(refusal.payload, .refused(refusal.error)) }
    serve(at: now, telling: &decided)
  }

  package mutating func enter(
    _ cost: Int, within timeout: Nanoseconds?, mayAlwaysJoin: Bool, at now: PacingInstant,
    telling decided: inout DecidedRequests<Payload>, _ request: () -> Payload
  ) -> Entrance<Payload> {
    enter(
      cost, within: timeout, mayAlwaysJoin: mayAlwaysJoin, isStream: mayAlwaysJoin, at: now,
      telling: &decided, request)
  }

  /// Grants a request, refuses it, or puts it in the queue.
  ///
  /// A stream waits beside the queue's bound, for a cost cut to what the limit can ever grant.
  mutating func enter(
    _ cost: Int, within timeout: Nanoseconds?, mayAlwaysJoin: Bool, isStream: Bool,
    at now: PacingInstant, telling decided: inout DecidedRequests<Payload>, _ request: () -> Payload
  ) -> Entrance<Payload> {
    review(at: now, telling: &decided)
    let cost = isStream && !canPay(cost) ? capacity : cost
    switch admit(cost, within: timeout, mayAlwaysJoin: mayAlwaysJoin, at: now) {
    case .granted:
      // The grant may have overtaken waiters.
      review(at: now, telling: &decided)
      return .decided(.granted(now))
    case .refused(let error): return .decided(.refused(error))
    case .mustWait: break
    }
    if !mayAlwaysJoin, let displaced = displace() {
      decided.append(
        displaced, .refused(.queueIsFull(maximumWaiters: waiters.policy.maximumWaiters)))
    }
    let place = join(cost, as: request(), within: timeout, isExempt: isStream)
    // The new waiter may be ahead of others, or replace one that others waited behind.
    review(at: now, telling: &decided)
    return .waiting(place)
  }

  /// Removes a request that leaves the queue, nil if it was already decided.
  package mutating func leave(
    _ place: Place, at now: PacingInstant, telling decided: inout DecidedRequests<Payload>
  ) -> Payload? {
    serve(at: now, before: place, telling: &decided)
    let request = withdraw(place)
    review(at: now, telling: &decided)
    return request
  }

  /// Closes the limit: waiters are told `outcome`.
  package mutating func close(
    _ outcome: Turn.Outcome, at now: PacingInstant, telling decided: inout DecidedRequests<Payload>
  ) {
    review(at: now, telling: &decided)
    isClosed = true
    while let request = refuseFirst() { decided.append(request, outcome) }
  }
}
