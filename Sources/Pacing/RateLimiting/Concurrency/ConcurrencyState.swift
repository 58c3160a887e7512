/// The permits of a concurrency limit, the limits of its starts and its waiters, as a pure value.
///
/// The first waiter is granted at the first instant at which a permit is free and the limits allow
/// one more; both are taken then. Until that instant it holds no permit and has spent nothing.
package struct ConcurrencyState<Payload> {
  /// The most permits held at a time.
  package private(set) var limit: Int
  /// The permits held now; above the limit after it was reduced.
  package private(set) var held = 0
  /// The limits of the starts; nil without any.
  private var starts: CombinedLimitState?
  private(set) var waiters: WaiterQueue<Payload>
  package private(set) var statistics = LimitStatistics()
  private var isClosed = false
  /// The latest instant seen; an earlier one counts as this one.
  private var latest: PacingInstant
  /// No grant to a waiter counts from before this instant: until then a permit was missing, or the
  /// limits allowed none.
  private var servedUntil: PacingInstant

  /// - Precondition: `limit` is positive.
  package init(
    _ limit: Int, limitedBy starts: [Limit] = [], queue: QueuePolicy = .unlimited,
    at now: PacingInstant
  ) {
    Self.requireCount(limit)
    self.limit = limit
    self.starts = starts.isEmpty ? nil : CombinedLimitState(starts, at: now)
    waiters = WaiterQueue(queue)
    latest = now
    servedUntil = now
  }

  package var waitingCount: Int { waiters.count }

  /// The free permits, less the waiters.
  package var available: Int { limit - held - waiters.count }

  /// The instant from which the limits allow one more.
  private var nextStart: PacingInstant { starts?.earliest(for: 1) ?? .distantPast }

  /// The earliest deadline that can still be met, for a caller that is not granted now.
  ///
  /// A permit that comes back at a waiter's deadline is for the next one.
  private var soonest: PacingInstant { max(latest + 1, nextStart) }

  /// Takes a permit if one is free and the limits allow one more.
  package mutating func tryAcquire(at now: PacingInstant) -> Bool {
    latest = max(latest, now)
    let isAllowed = !isClosed && waiters.isEmpty && held < limit && nextStart <= latest
    if isAllowed { start(at: latest, isAwaited: false) }
    statistics.note(isAllowed, 1)
    return isAllowed
  }

  private mutating func start(at now: PacingInstant, isAwaited: Bool) {
    held += 1
    starts?.spend(1, at: now, isAwaited: isAwaited)
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

  package mutating func tryPlainly(_ cost: Int, at now: PacingInstant) -> Bool {
    tryAcquire(at: now)
  }

  package mutating func tryAcquire(_ cost: Int, at now: PacingInstant) -> Bool {
    tryAcquire(at: now)
  }

  /// The instant at which the limits allow the first waiter to start, if a permit is free, or at
  /// which the first deadline passes.
  package var deadline: PacingInstant {
    mutating get {
      let isLimited = !waiters.isEmpty && held < limit
      return min(waiters.earliestDeadline, isLimited ? nextStart : .distantFuture)
    }
  }

  package mutating func review(
    at now: PacingInstant, telling decided: inout DecidedRequests<Payload>
  ) {
    latest = max(latest, now)
    while held < limit, let request = waiters.firstRequest {
      let planned = max(nextStart, servedUntil)
      guard planned <= latest else { break }
      let instant =
        starts?.countsRealInstants ?? true
        ? latest : max(planned, latest - waiters.policy.catchUp)
      guard let payload = waiters.popFirst() else { break }
      guard instant <= request.deadline else {
        refuse(payload, .deadline(neededWait: nil), telling: &decided)
        continue
      }
      start(at: instant, isAwaited: true)
      servedUntil = instant
      statistics.note(true, 1)
      decided.append(payload, .granted(instant))
    }
    servedUntil = latest
    while let late = waiters.firstOverdue(before: soonest) {
      if let payload = waiters.remove(late) {
        refuse(payload, .deadline(neededWait: nil), telling: &decided)
      }
    }
  }

  package mutating func enter(
    _ cost: Int, within timeout: Nanoseconds?, mayAlwaysJoin: Bool, at now: PacingInstant,
    telling decided: inout DecidedRequests<Payload>, _ request: () -> Payload
  ) -> Entrance<Payload> {
    review(at: now, telling: &decided)
    guard !isClosed else { return refusal(.closed) }
    if waiters.isEmpty, held < limit, nextStart <= latest {
      _ = tryAcquire(at: latest)
      return .decided(.granted(latest))
    }
    let deadline = timeout.map { latest + $0 } ?? .distantFuture
    guard deadline >= soonest else {
      return refusal(.deadline(neededWait: nil))
    }
    if !mayAlwaysJoin, waiters.isFull {
      let error = AcquireError.queueIsFull(maximumWaiters: waiters.policy.maximumWaiters)
      guard let oldest = waiters.replaceable, let payload = waiters.remove(oldest) else {
        return refusal(error)
      }
      refuse(payload, error, telling: &decided)
    }
    return .waiting(
      waiters.insert(
        request(),
        .init(cost: 1, joined: latest, deadline: deadline, isExempt: mayAlwaysJoin)))
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
