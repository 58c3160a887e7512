/// Requests that were decided under a lock, to be told after it: by one thread at a time, in the
/// order of the decisions.
struct DecidedRequests {
  private var waiting = [(request: Turn.Request, outcome: Turn.Outcome)]()
  /// A thread is telling them, and will look again before it stops.
  private var isTelling = false

  mutating func append(_ request: @escaping Turn.Request, _ outcome: Turn.Outcome) {
    waiting.append((request, outcome))
  }

  /// Whether the caller has to `tell` once it has released the lock.
  @inline(__always)
  mutating func mustTell() -> Bool {
    guard !waiting.isEmpty, !isTelling else { return false }
    isTelling = true
    return true
  }

  /// Tells all, without the lock.
  ///
  /// - Parameter access: Runs its argument on this value, under the lock.
  static func tell(_ access: ((inout DecidedRequests) -> [Decided]) -> [Decided]) {
    while true {
      let decided = access { $0.takeAll() }
      guard !decided.isEmpty else { return }
      for decided in decided { decided.request(decided.outcome) }
    }
  }

  /// A request and what it is to be told.
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

/// A caller's way into a queue.
enum Entrance: Sendable {
  /// It does not wait.
  case decided(Turn.Outcome)
  /// It waits in a place.
  case waiting(WaiterQueue<Turn.Request>.Place)
}

extension QueuedLimit where Payload == Turn.Request {
  /// Serves the waiters whose tokens have come, but for one that is about to leave.
  mutating func serve(
    at now: PacingInstant, before leaver: Place? = nil, telling decided: inout DecidedRequests
  ) {
    while let request = grantNext(at: now, before: leaver) {
      decided.append(request, .granted(countedFrom))
    }
  }

  /// Serves the waiters that a change has helped, and refuses those that cannot be served in time
  /// any more.
  mutating func review(at now: PacingInstant, telling decided: inout DecidedRequests) {
    serve(at: now, telling: &decided)
    let refused = refuseHopeless(at: now)
    guard !refused.isEmpty else { return }
    for refusal in refused { decided.append(refusal.payload, .refused(refusal.error)) }
    serve(at: now, telling: &decided)
  }

  /// Takes tokens for a request, refuses it, or puts it in the queue.
  mutating func enter(
    _ cost: Int, within timeout: Nanoseconds?, mayAlwaysJoin: Bool, at now: PacingInstant,
    telling decided: inout DecidedRequests, _ request: () -> Turn.Request
  ) -> Entrance {
    review(at: now, telling: &decided)
    switch admit(cost, within: timeout, mayAlwaysJoin: mayAlwaysJoin, at: now) {
    case .granted:
      // It may have been served before waiters.
      review(at: now, telling: &decided)
      return .decided(.granted(now))
    case .refused(let error): return .decided(.refused(error))
    case .mustWait: break
    }
    if !mayAlwaysJoin, let displaced = displace() {
      decided.append(displaced, .refused(.queueIsFull(limit: waiters.policy.limit)))
    }
    let place = join(cost, as: request(), within: timeout)
    // It may stand before others now, or in the place of one that others waited for.
    review(at: now, telling: &decided)
    return .waiting(place)
  }

  /// Takes a request out of the queue that leaves, nil if it was decided.
  mutating func leave(
    _ place: Place, at now: PacingInstant, telling decided: inout DecidedRequests
  ) -> Turn.Request? {
    serve(at: now, before: place, telling: &decided)
    let request = withdraw(place)
    review(at: now, telling: &decided)
    return request
  }

  /// Grants nothing any more: waiters are told `outcome`.
  mutating func close(
    _ outcome: Turn.Outcome, at now: PacingInstant, telling decided: inout DecidedRequests
  ) {
    review(at: now, telling: &decided)
    isClosed = true
    while let request = refuseFirst() { decided.append(request, outcome) }
  }
}
