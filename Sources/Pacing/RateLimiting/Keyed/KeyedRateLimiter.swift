import Synchronization

/// A rate limiter with a token bucket for each key: one for each user, address or tenant.
///
/// ```swift
/// let limiter = KeyedRateLimiter<UInt64>(rate: .perSecond(5), burst: 10, maximumKeys: 1_000_000)
/// guard limiter.tryAcquire(for: user) else { return tooManyRequests }
/// try await limiter.acquire(for: user, within: .seconds(1))
/// ```
///
/// Limits across several keys are decided at once: all of them must allow the cost, a refusal
/// charges none, and the decision names the key that refused.
///
/// ```swift
/// enum Scope: Hashable { case user(UInt64), tenant(UInt64), everyone }
/// let limiter = KeyedRateLimiter<Scope>(maximumKeys: 1_000_000) { scope in
///   switch scope {
///   case .user: Quota(rate: .perSecond(5), burst: 10)
///   case .tenant: Quota(rate: .perSecond(100), burst: 200)
///   case .everyone: Quota(rate: .perSecond(5000), burst: 5000)
///   }
/// }
/// let decision = limiter.request(for: [.user(7), .tenant(3), .everyone])
/// ```
///
/// ## Memory
/// A key whose bucket is full again is no entry: what is kept follows the keys that spend. For a
/// key of eight bytes that is some 30 bytes. There are never more than `maximumKeys`, so callers
/// cannot make the limiter grow by inventing keys; `whenFull` specifies what happens to a new key
/// then. When traffic falls the table follows, in a part after the other, within a minute in which
/// the limiter is called. Keys are spread over parts by their hash, each with its share of the
/// maximum, so the first part may be full when a few in a hundred are still free.
///
/// ## Timing
/// Waiters of a key are served in order, as in a `TokenBucket`; their `QueuePolicy` bounds the
/// waiters of all keys together. A key that has waiters or a pause is never forgotten.
///
/// ## Concurrency
/// All methods are thread-safe, and hold up only callers whose keys fall into the same part. Each
/// part has one timer at most, and none without waiters.
public final class KeyedRateLimiter<Key: Hashable & Sendable>: Sendable {
  let service: TimerService
  let shards: ContiguousArray<KeyedShard<Key>>
  let quota: @Sendable (Key) -> Quota
  let waiting: WaitingCount
  private let sweeps = Atomic<Nanoseconds>(.min)
  private let swept = Atomic(0)

  /// Makes a limiter with the same limit for each key.
  ///
  /// - Parameters:
  ///   - rate: The speed at which each key's bucket refills.
  ///   - burst: The most tokens that it holds, as it does at first.
  ///   - maximumKeys: The most keys that are remembered.
  ///   - whenFull: What happens to a new key when there are that many.
  ///   - queue: The bound of all waiters together, and the order within a key.
  ///   - clock: The clock that the limiter follows.
  /// - Precondition: `burst` and `maximumKeys` are positive, and the rate is one for a `Quota`.
  public convenience init(
    rate: Rate, burst: Int, maximumKeys: Int, whenFull: FullTable = .forget,
    queue: QueuePolicy = .unlimited, clock: any PacingClock = .dispatch
  ) {
    let quota = Quota(rate: rate, burst: burst)
    self.init(maximumKeys: maximumKeys, whenFull: whenFull, queue: queue, clock: clock) { _ in
      quota
    }
  }

  /// Makes a limiter whose keys have separate limits.
  ///
  /// - Parameters:
  ///   - maximumKeys: The most keys that are remembered.
  ///   - whenFull: What happens to a new key when there are that many.
  ///   - queue: The bound of all waiters together, and the order within a key.
  ///   - clock: The clock that the limiter follows.
  ///   - quota: The limit of a key. One that changes takes effect at the key's next call, and keeps
  ///     the time in which the bucket would have been full.
  /// - Precondition: `maximumKeys` is positive.
  public init(
    maximumKeys: Int, whenFull: FullTable = .forget, queue: QueuePolicy = .unlimited,
    clock: any PacingClock = .dispatch, quota: @escaping @Sendable (Key) -> Quota
  ) {
    ConfigurationError.trapping { () throws(ConfigurationError) in
      try Self.validate(maximumKeys)
    }
    let (service, waiting) = (clock.service, WaitingCount())
    self.service = service
    self.waiting = waiting
    self.quota = quota
    // Parts of a few thousand keys at least, so that all fill alike, and of few enough at most to
    // be looked through under a lock.
    let bits = min(9, max(0, Int.bitWidth - 13 - maximumKeys.leadingZeroBitCount))
    shards = ContiguousArray(
      (0..<1 << bits).map { _ in
        KeyedShard(
          maximum: maximumKeys >> bits, whenFull: whenFull, queue: queue, waiting: waiting,
          service: service)
      })
  }

  deinit {
    for shard in shards { shard.close(.ended) }
  }

  /// Spends a cost if the key's bucket holds it.
  ///
  /// - Parameters:
  ///   - cost: The number of tokens.
  ///   - key: The key to charge.
  /// - Returns: Whether the cost was spent.
  /// - Precondition: `cost` is not negative.
  /// - Complexity: O(1) on the average, without allocation for a key that is remembered.
  public func tryAcquire(_ cost: Int = 1, for key: Key) -> Bool {
    ask(cost, for: key, closed: false) { state, quota, slot, hash in
      guard cost > 0 else { return true }
      let bucket = state.buckets.bucket(quota, slot)
      let isAllowed = state.buckets.holds(cost, bucket, slot)
      if isAllowed { state.charge(cost, to: bucket, of: key, slot, hash: hash) }
      state.statistics.note(isAllowed, cost)
      return isAllowed
    } queued: {
      $0.tryAcquire(cost, at: $1)
    }
  }

  /// Spends a cost if the key's bucket holds it, and reports what the caller can be told.
  ///
  /// - Parameters:
  ///   - cost: The number of tokens.
  ///   - key: The key to charge.
  /// - Returns: Whether the cost was spent, what remains, and how long to wait if it was not.
  /// - Precondition: `cost` is not negative.
  public func request(_ cost: Int = 1, for key: Key) -> Decision {
    ask(cost, for: key, closed: .closed) { state, quota, slot, hash in
      let decision = state.buckets.decision(cost, quota, slot)
      if decision.isAllowed, cost > 0 {
        state.charge(cost, to: state.buckets.bucket(quota, slot), of: key, slot, hash: hash)
      }
      state.statistics.note(decision.isAllowed, cost)
      return decision
    } queued: {
      $0.request(cost, at: $1)
    }
  }

  /// The answer of `request(_:for:)`; nothing is spent, and the key is not remembered.
  ///
  /// - Parameters:
  ///   - cost: The number of tokens.
  ///   - key: The key to ask about.
  /// - Returns: The decision, with `remaining` and `resetAfter` as they would be after it.
  /// - Precondition: `cost` is not negative.
  public func peek(_ cost: Int = 1, for key: Key) -> Decision {
    ask(cost, for: key, closed: .closed) { state, quota, slot, _ in
      state.buckets.decision(cost, quota, slot)
    } queued: {
      $0.peek(cost, at: $1)
    }
  }

  /// Spends as many tokens as the key's bucket holds, up to a number.
  ///
  /// - Parameters:
  ///   - count: The most to spend.
  ///   - key: The key to charge.
  /// - Returns: The number of tokens spent.
  /// - Precondition: `count` is not negative.
  public func take(upTo count: Int, for key: Key) -> Int {
    ask(count, for: key, closed: 0) { state, quota, slot, hash in
      let count = min(count, state.buckets.decision(0, quota, slot).remaining)
      guard count > 0 else { return 0 }
      state.charge(count, to: state.buckets.bucket(quota, slot), of: key, slot, hash: hash)
      state.statistics.note(true, count)
      return count
    } queued: {
      $0.take(upTo: count, at: $1)
    }
  }

  /// Takes a cost whether the key's bucket holds it or not: a penalty, for a wrong password
  /// perhaps.
  ///
  /// The key is refused until it is paid for. A new key for which there is no room is left alone.
  ///
  /// - Parameters:
  ///   - cost: The number of tokens.
  ///   - key: The key to charge.
  /// - Precondition: `cost` is not negative.
  public func penalize(_ cost: Int, for key: Key) {
    ask(cost, for: key, closed: ()) { state, quota, slot, hash in
      guard cost > 0, slot != .forgetting else { return }
      state.charge(cost, to: state.buckets.bucket(quota, slot), of: key, slot, hash: hash)
    } queued: {
      $0.penalize(cost, at: $1)
    }
  }

  /// Forgets what a key has spent: its bucket is full again, and a pause ends.
  ///
  /// - Parameter key: The key to forget.
  public func reset(_ key: Key) {
    ask(0, for: key, closed: ()) { state, _, slot, _ in
      if case .known(let entry) = slot { state.buckets.table[entry] = .full }
    } queued: {
      $0.reset(at: $1)
    }
  }

  /// The number of keys that are remembered, including some whose buckets have filled meanwhile.
  public var keyCount: Int {
    shards.reduce(0) { $0 + $1.state.withLock { $0.keys.count + $0.queues.count } }
  }

  /// The part of a key.
  @inline(__always)
  func shard(_ hash: UInt64) -> Int { Int(truncatingIfNeeded: hash) & (shards.count - 1) }

  /// Asks or changes a key's bucket, in the table or with waiters.
  @inline(__always)
  func ask<Answer: Sendable>(
    _ cost: Int, for key: Key, closed: Answer,
    _ body: (inout KeyedShard<Key>.State, Quota, KeyedBuckets.Slot, _ hash: UInt64) -> Answer,
    queued: (inout KeyedShard<Key>.Bucket, PacingInstant) -> Answer
  ) -> Answer {
    ConfigurationError.requireCost(cost)
    let quota = quota(key)
    let hash = key.keyHash
    let shard = shards[shard(hash)]
    // The keys that are dropped to make room are released after the lock.
    var dropped: ContiguousArray<Key>?
    var now = PacingInstant.distantPast
    let answer = shard.state.withLock { state -> Answer? in
      now = service.now
      state.buckets.advance(to: now)
      guard state.queues.isEmpty, !state.isClosed else { return nil }
      let slot = state.slot(key, hash)
      let answer = body(&state, quota, slot, hash)
      dropped = state.takeDropped()
      return answer
    }
    if let dropped { withExtendedLifetime(dropped) {} }
    if now.nanoseconds >= sweeps.load(ordering: .relaxed) { sweep(at: now) }
    if let answer { return answer }
    return shard.perform { state in
      guard !state.isClosed else { return closed }
      let answer = state.withQueue(of: key, quota) { bucket, now, _ in queued(&bucket, now) }
      if let answer { return answer }
      let slot = state.slot(key, hash)
      return body(&state, quota, slot, hash)
    }
  }

  /// Lets one part shrink, so that all have had their turn within a minute of calls.
  func sweep(at now: PacingInstant) {
    let interval: Nanoseconds = 30_000_000_000 / Nanoseconds(shards.count)
    let due = sweeps.load(ordering: .relaxed)
    guard now.nanoseconds >= due else { return }
    let (isMine, _) = sweeps.compareExchange(
      expected: due, desired: now.nanoseconds.adding(interval), ordering: .relaxed)
    guard isMine, due != .min else { return }
    // After a gap between the calls several parts are due, a few at a call.
    let late = (now.nanoseconds - due) / interval
    for _ in 0...min(late, 15) {
      let next = swept.add(1, ordering: .relaxed).oldValue
      shards[next & (shards.count - 1)].perform { $0.sweep() }
    }
  }
}

extension Decision {
  /// The answer of a limit that was closed.
  static var closed: Decision {
    Decision(isAllowed: false, remaining: 0, retryAfter: nil, resetAfter: .zero)
  }
}
