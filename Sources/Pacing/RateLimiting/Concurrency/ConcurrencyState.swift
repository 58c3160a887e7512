/// The permits of a concurrency limit and its waiters, as a pure value.
///
/// Waiters and free permits never exist together: a permit that comes back goes to the first
/// waiter.
package struct ConcurrencyState<Payload> {
  /// The most permits held at a time.
  package private(set) var limit: Int
  /// The permits held now; above the limit after it was reduced.
  package private(set) var held = 0
  private(set) var waiters: WaiterQueue<Payload>
  package private(set) var statistics = LimitStatistics()
  private var isClosed = false
  /// The latest instant seen; an earlier one counts as this one.
  private var latest: PacingInstant

  /// - Precondition: `limit` is positive.
  package init(_ limit: Int, queue: QueuePolicy = .unlimited, at now: PacingInstant) {
    Self.requireCount(limit)
    self.limit = limit
    waiters = WaiterQueue(queue)
    latest = now
  }

  package var waitingCount: Int { waiters.count }

  /// The free permits, less the waiters.
  package var available: Int { limit - held - waiters.count }

  /// Takes a permit if one is free.
  package mutating func tryAcquire() -> Bool {
    let isAllowed = !isClosed && waiters.isEmpty && held < limit
    if isAllowed { held += 1 }
    statistics.note(isAllowed, 1)
    return isAllowed
  }

  /// Gives a permit back; `review` then serves the first waiter.
  package mutating func release() {
    held -= 1
  }

  /// Changes the limit; permits above it stay valid, and none is granted until they are back.
  package mutating func reconfigure(_ limit: Int) {
    Self.requireCount(limit)
    self.limit = limit
  }

  private static func requireCount(_ count: Int) {
    ConfigurationError.require(count > 0, "count", count, must: "be positive")
  }
}

extension ConcurrencyState: QueueState {
  package typealias Place = WaiterQueue<Payload>.Place

  package var isPlain: Bool { waiters.isEmpty && !isClosed }

  package mutating func tryPlainly(_ cost: Int, at now: PacingInstant) -> Bool { tryAcquire() }

  package mutating func tryAcquire(_ cost: Int, at now: PacingInstant) -> Bool { tryAcquire() }

  /// The instant at which the first waiter's time is over, `distantFuture` without timed waiters.
  package var deadline: PacingInstant {
    mutating get { waiters.earliestDeadline }
  }

  package mutating func serve(
    at now: PacingInstant, before leaver: Place?, telling decided: inout DecidedRequests<Payload>
  ) {
    latest = max(latest, now)
    // A permit that comes back at a waiter's deadline or later comes too late.
    while let late = waiters.firstOverdue(at: latest) {
      if let payload = waiters.remove(late) {
        refuse(payload, .deadline(neededWait: nil), telling: &decided)
      }
    }
    while held < limit, waiters.firstPlace != leaver, let payload = waiters.popFirst() {
      held += 1
      statistics.note(true, 1)
      decided.append(payload, .granted(latest))
    }
  }

  package mutating func review(
    at now: PacingInstant, telling decided: inout DecidedRequests<Payload>
  ) {
    serve(at: now, before: nil, telling: &decided)
  }

  package mutating func enter(
    _ cost: Int, within timeout: Nanoseconds?, mayAlwaysJoin: Bool, at now: PacingInstant,
    telling decided: inout DecidedRequests<Payload>, _ request: () -> Payload
  ) -> Entrance<Payload> {
    review(at: now, telling: &decided)
    guard !isClosed else { return refusal(.closed) }
    if waiters.isEmpty, held < limit {
      _ = tryAcquire()
      return .decided(.granted(latest))
    }
    if let timeout, timeout <= 0 { return refusal(.deadline(neededWait: nil)) }
    if !mayAlwaysJoin, waiters.isFull {
      let error = AcquireError.queueIsFull(maximumWaiters: waiters.policy.maximumWaiters)
      guard let oldest = waiters.replaceable, let payload = waiters.remove(oldest) else {
        return refusal(error)
      }
      refuse(payload, error, telling: &decided)
    }
    let deadline = timeout.map { latest + $0 } ?? .distantFuture
    return .waiting(
      waiters.insert(request(), .init(cost: 1, joined: latest, deadline: deadline)))
  }

  package mutating func leave(
    _ place: Place, at now: PacingInstant, telling decided: inout DecidedRequests<Payload>
  ) -> Payload? {
    let payload = waiters.remove(place)
    if payload != nil { statistics.withdrawn &+= 1 }
    review(at: now, telling: &decided)
    return payload
  }

  package mutating func close(
    _ outcome: Turn.Outcome, at now: PacingInstant, telling decided: inout DecidedRequests<Payload>
  ) {
    review(at: now, telling: &decided)
    isClosed = true
    while let payload = waiters.popFirst() {
      statistics.refused &+= 1
      decided.append(payload, outcome)
    }
  }

  private mutating func refusal(_ error: AcquireError) -> Entrance<Payload> {
    statistics.note(false, 1)
    return .decided(.refused(error))
  }

  private mutating func refuse(
    _ payload: Payload, _ error: AcquireError, telling decided: inout DecidedRequests<Payload>
  ) {
    statistics.note(false, 1)
    decided.append(payload, .refused(error))
  }
}
