/// Requests decided under a lock, to be told after it is released: by one thread at a time, in the
/// order of the decisions.
struct DecidedRequests {
  private var waiting = [(request: Turn.Request, outcome: Turn.Outcome)]()
  /// Whether a thread is telling requests; it looks again before it stops.
  private var isTelling = false

  mutating func append(_ request: @escaping Turn.Request, _ outcome: Turn.Outcome) {
    waiting.append((request, outcome))
  }

  /// Whether the caller must call `tell` after releasing the lock.
  @inline(__always)
  mutating func mustTell() -> Bool {
    guard !waiting.isEmpty, !isTelling else { return false }
    isTelling = true
    return true
  }

  /// Tells all decided requests, without holding the lock.
  ///
  /// - Parameter access: Runs its argument on this value, under the lock.
  static func tell(_ access: ((inout DecidedRequests) -> [Decided]) -> [Decided]) {
    while true {
      let decided = access { $0.takeAll() }
      guard !decided.isEmpty else { return }
      for decided in decided { decided.request(decided.outcome) }
    }
  }

  /// A request and its outcome.
  struct Decided: Sendable {
    let request: Turn.Request
    let outcome: Turn.Outcome
  }

  private mutating func takeAll() -> [Decided] {
    let decided = waiting.map { Decided(request: $0.request, outcome: $0.outcome) }
    waiting = []
    isTelling = !decided.isEmpty
    return decided
  }
}

/// How a caller enters a queue.
enum Entrance: Sendable {
  /// It was decided immediately.
  case decided(Turn.Outcome)
  /// It waits in a place.
  case waiting(WaiterQueue<Turn.Request>.Place)
}

extension QueuedLimit where Payload == Turn.Request {
  /// Serves the waiters that are due, except one that is about to leave.
  mutating func serve(
    at now: PacingInstant, before leaver: Place? = nil, telling decided: inout DecidedRequests
  ) {
    while let request = grantNext(at: now, before: leaver) {
      decided.append(request, .granted(countedFrom))
    }
  }

  /// Serves the waiters that a change made due, and refuses those that can no longer be served in
  /// time.
  mutating func review(at now: PacingInstant, telling decided: inout DecidedRequests) {
    serve(at: now, telling: &decided)
    let refused = refuseHopeless(at: now)
    guard !refused.isEmpty else { return }
    for refusal in refused { decided.append(refusal.payload, .refused(refusal.error)) }
    serve(at: now, telling: &decided)
  }

  /// Grants a request, refuses it, or puts it in the queue.
  mutating func enter(
    _ cost: Int, within timeout: Nanoseconds?, mayAlwaysJoin: Bool, at now: PacingInstant,
    telling decided: inout DecidedRequests, _ request: () -> Turn.Request
  ) -> Entrance {
    review(at: now, telling: &decided)
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
    let place = join(cost, as: request(), within: timeout)
    // The new waiter may be ahead of others, or replace one that others waited behind.
    review(at: now, telling: &decided)
    return .waiting(place)
  }

  /// Removes a request that leaves the queue, nil if it was already decided.
  mutating func leave(
    _ place: Place, at now: PacingInstant, telling decided: inout DecidedRequests
  ) -> Turn.Request? {
    serve(at: now, before: place, telling: &decided)
    let request = withdraw(place)
    review(at: now, telling: &decided)
    return request
  }

  /// Closes the limit: waiters are told `outcome`.
  mutating func close(
    _ outcome: Turn.Outcome, at now: PacingInstant, telling decided: inout DecidedRequests
  ) {
    review(at: now, telling: &decided)
    isClosed = true
    while let request = refuseFirst() { decided.append(request, outcome) }
  }
}
