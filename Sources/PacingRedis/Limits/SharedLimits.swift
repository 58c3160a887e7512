internal import Pacing

/// Limits by key name: the part of `SharedRateLimiter` that does not depend on the key type.
final class SharedLimits: Sendable {
  /// A key's name in the store, and its quota.
  struct Bucket: Sendable {
    let name: BucketName
    let quota: Quota
  }

  struct State {
    var memory: KeyMemory
    var places = KeyPlaces()
    var flights = Flights()
    var statistics = SharedLimitStatistics()
  }

  let store: RedisStore
  let failure: StoreFailure
  let shares: LocalShares?
  let state: Locked<State>

  init(_ store: RedisStore, onFailure failure: StoreFailure, leasing lease: Lease?, memory: Int) {
    self.store = store
    self.failure = failure
    if case .localShare(let instances) = failure.kind {
      shares = LocalShares(of: instances, maximumKeys: max(1, memory), clock: store.clock)
    } else {
      shares = nil
    }
    state = Locked(State(memory: KeyMemory(atLeast: memory, lease: lease)))
  }

  var statistics: SharedLimitStatistics { state.withLock { $0.statistics } }

  // MARK: One key

  /// Answers from what is remembered of a key that was put into the table of places; nil if only
  /// its name may tell.
  func recall(
    _ cost: Int, _ hash: Int, _ quota: Quota, where isKey: (any KeyPlaces.AnyKey) -> Bool
  ) -> Decision? {
    guard cost > 0, cost <= quota.burst else { return nil }
    let now = store.service.now
    return state.withLock { state in
      guard let place = state.places.find(hash, quota, where: isKey),
        let decision = state.memory.decide(cost, at: place, now)
      else { return nil }
      state.statistics.note(decision.isAllowed, decision.source)
      return decision
    }
  }

  /// Puts a key into the table of places.
  func remember(_ key: any KeyPlaces.AnyKey, hash: Int, as bucket: Bucket) {
    guard let terms = terms(of: bucket) else { return }
    state.release { state in
      state.memory.place(of: bucket.name, terms).flatMap {
        state.places.insert(key, hash: hash, bucket.quota, at: $0)
      }
    }
  }

  func request(_ cost: Int, for bucket: Bucket) async -> Decision {
    guard let terms = terms(of: bucket) else { return noted(fallbackRequest(cost, bucket)) }
    if let decision = plain(cost, bucket, terms) { return noted(decision) }
    guard cost > 0 else { return noted(await peek(0, for: bucket)) }
    switch await outcome(cost, bucket.name, terms) {
    case .success(let decision): return noted(decision)
    case .failure: return noted(fallbackRequest(cost, bucket))
    }
  }

  private func outcome(
    _ cost: Int, _ name: BucketName, _ terms: BucketTerms
  ) async -> Flights.Outcome {
    let now = store.service.now
    let known = state.withLock { $0.memory.decide(cost, name, terms, at: now) }
    if let known { return .success(known) }
    let passenger = Flights.Passenger(
      fare: Flights.Fare(cost: cost, terms: terms), answer: OneShot(countedBy: store.service.manual)
    )
    let departure = state.withLock { state in
      state.flights.board(passenger, name, &state.memory, at: now)
    }
    guard let departure else { return await patiently(passenger) }
    fly(departure)
    return await passenger.answer.outcome()
  }

  /// Waits for the answer to a request that gathers: for one timeout, whatever calls are before it.
  private func patiently(_ passenger: Flights.Passenger) async -> Flights.Outcome {
    let patience = DispatchTimer.scheduled(after: store.policy.timeout, clock: store.clock) {
      passenger.answer.resolve(.failure(.late))
    }
    defer { patience.cancel() }
    return await passenger.answer.outcome()
  }

  /// Makes a call, and those for the requests that gather meanwhile.
  private func fly(_ first: Flights.Departure) {
    var departure = first
    while true {
      let outcome = store.ask(departure.inquiry, isFollowUp: departure.isFollowUp) {
        [self, departure] outcome in
        if let next = land(departure, outcome) { fly(next) }
      }
      guard let outcome, let next = land(departure, outcome) else { return }
      departure = next
    }
  }

  /// Answers the requests of a call, and returns the next call to make.
  private func land(
    _ departure: Flights.Departure, _ outcome: Result<Inquiry.Reply, StoreFault>
  ) -> Flights.Departure? {
    let now = store.service.now
    let landing = state.withLock { state in
      switch outcome {
      case .success(let reply): state.flights.land(departure, reply, &state.memory, at: now)
      case .failure(let fault): state.flights.fail(departure, fault)
      }
    }
    for (answer, outcome) in landing.outcomes { answer.resolve(outcome) }
    return landing.next
  }

  func peek(_ cost: Int, for bucket: Bucket) async -> Decision {
    guard let terms = terms(of: bucket) else { return fallbackPeek(cost, bucket) }
    if let decision = plain(cost, bucket, terms) { return decision }
    switch await ask(Inquiry(bucket.name.text, terms, cost: 0, count: 0)) {
    case .success(let reply):
      let debt = reply.debts[0]
      let isAllowed = terms.tokens(debt: debt) >= Int64(cost) || cost == 0
      let spent = isAllowed ? terms.units(cost) : 0
      return terms.decision(cost, isAllowed: isAllowed, debt: debt + spent, source: .store)
    case .failure: return fallbackPeek(cost, bucket)
    }
  }

  func take(upTo count: Int, for bucket: Bucket) async -> Int {
    guard count > 0 else { return 0 }
    guard let terms = terms(of: bucket) else {
      return noted(fallbackTake(count, bucket), .failurePolicy)
    }
    guard !terms.isUnlimited else { return noted(count, .store) }
    let now = store.service.now
    let (leased, isRefused) = state.withLock { state in
      let leased = state.memory.takeLeased(upTo: count, bucket.name, terms, at: now)
      return (leased, state.memory.refusal(1, bucket.name, terms, at: now) != nil)
    }
    guard leased < count, !isRefused else { return noted(leased, .lease) }
    let rest = min(count - leased, bucket.quota.burst)
    switch await ask(Inquiry(bucket.name.text, terms, cost: 1, count: rest)) {
    case .success(let reply): return noted(leased + reply.granted, .store)
    case .failure: return noted(leased + fallbackTake(count - leased, bucket), .failurePolicy)
    }
  }

  func penalize(_ cost: Int, for bucket: Bucket) async -> Bool {
    guard cost > 0 else { return true }
    guard let terms = terms(of: bucket) else { return false }
    guard !terms.isUnlimited else { return true }
    // Long enough for every debt that the script can hold.
    let wait = 4 * BucketTerms.largest / terms.speed + 1
    return await ask(Inquiry(bucket.name.text, terms, cost: cost, wait: wait)).isSuccess
  }

  func reset(_ bucket: Bucket) async -> Bool {
    guard let terms = terms(of: bucket) else { return false }
    guard !terms.isUnlimited else { return true }
    let result = await ask(Inquiry(bucket.name.text, terms, cost: 0, count: -1))
    let now = store.service.now
    state.withLock { $0.memory.forget(bucket.name, terms, at: now) }
    return result.isSuccess
  }

  // MARK: Calls

  /// Asks the store, and remembers the debt that it reports for each bucket.
  func ask(_ inquiry: Inquiry) async -> Result<Inquiry.Reply, StoreFault> {
    let begun = store.service.now
    let result = await store.ask(inquiry)
    if case .success(let reply) = result {
      state.withLock { state in
        for (bucket, debt) in zip(inquiry.buckets, reply.debts) {
          state.memory.note(debt: debt, BucketName(bucket.name), bucket.terms, askedAt: begun)
        }
      }
    }
    return result
  }

  func terms(of bucket: Bucket) -> BucketTerms? {
    let terms = try? BucketTerms(bucket.quota)
    if terms == nil { store.noteUnreadable(bucket.quota) }
    return terms
  }

  /// Answers that need no call: an unlimited rate, or a cost above the burst.
  func plain(_ cost: Int, _ bucket: Bucket, _ terms: BucketTerms) -> Decision? {
    if terms.isUnlimited { return .passing(bucket.quota.burst, source: .store) }
    guard cost > terms.burst else { return nil }
    return Decision(
      isAllowed: false, remaining: 0, retryAfter: nil, resetAfter: .zero, source: .store)
  }

  func note(_ isAllowed: Bool, _ source: Decision.Source) {
    state.withLock { $0.statistics.note(isAllowed, source) }
  }

  func noted(_ decision: Decision) -> Decision {
    note(decision.isAllowed, decision.source)
    return decision
  }

  private func noted(_ taken: Int, _ source: Decision.Source) -> Int {
    if taken > 0 { note(true, source) }
    return taken
  }

  func noted(_ verdict: (Decision, index: Int)) -> (Decision, index: Int) {
    note(verdict.0.isAllowed, verdict.0.source)
    return verdict
  }
}
