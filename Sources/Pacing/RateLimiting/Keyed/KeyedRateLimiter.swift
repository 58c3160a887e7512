/// A rate limiter with a token bucket for each key: each user, address or tenant has his own.
///
/// ```swift
/// let limiter = KeyedRateLimiter<UInt64>(rate: .perSecond(5), burst: 10, maximumKeys: 1_000_000)
/// guard limiter.tryAcquire(for: user) else { return tooManyRequests }
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
/// A key whose bucket is full again is forgotten: what is kept follows the keys that spend. For a
/// key of eight bytes that is some 30 bytes. There are never more than `maximumKeys`, and
/// `whenFull` says what a new key gets then; so no one can make the limiter grow by inventing keys.
/// Keys are spread over parts by their hash, each with its share of the maximum, so the first part
/// may be full when a few in a hundred are still free.
///
/// ## Concurrency
/// All methods may be called from any thread, and hold up only those whose keys fall into the same
/// part. There is no timer, and nobody waits here: a caller who is refused is told for how long.
public final class KeyedRateLimiter<Key: Hashable & Sendable>: Sendable {
  let service: TimerService
  let shards: ContiguousArray<KeyedShard<Key>>
  let quota: @Sendable (Key) -> Quota

  /// Makes a limiter with the same limit for each key.
  ///
  /// - Parameters:
  ///   - rate: How fast each key's bucket refills.
  ///   - burst: How many tokens it holds at most, and at first.
  ///   - maximumKeys: How many keys are remembered at most.
  ///   - whenFull: What a new key gets when there are that many.
  ///   - clock: The clock that the limiter follows.
  /// - Precondition: `burst` and `maximumKeys` are positive, and the rate is one for a `Quota`.
  public convenience init(
    rate: Rate, burst: Int, maximumKeys: Int, whenFull: FullTable = .refuse,
    clock: any PacingClock = .dispatch
  ) {
    let quota = Quota(rate: rate, burst: burst)
    self.init(maximumKeys: maximumKeys, whenFull: whenFull, clock: clock) { _ in quota }
  }

  /// Makes a limiter whose keys have limits of their own.
  ///
  /// - Parameters:
  ///   - maximumKeys: How many keys are remembered at most.
  ///   - whenFull: What a new key gets when there are that many.
  ///   - clock: The clock that the limiter follows.
  ///   - quota: The limit of a key: always the same one for the same key.
  /// - Precondition: `maximumKeys` is positive.
  public init(
    maximumKeys: Int, whenFull: FullTable = .refuse, clock: any PacingClock = .dispatch,
    quota: @escaping @Sendable (Key) -> Quota
  ) {
    ConfigurationError.trapping { () throws(ConfigurationError) in
      try Self.validate(maximumKeys)
    }
    service = clock.service
    self.quota = quota
    // Parts of a few thousand keys at least, so that all fill alike.
    let bits = min(6, max(0, Int.bitWidth - 13 - maximumKeys.leadingZeroBitCount))
    let now = clock.service.now
    shards = ContiguousArray(
      (0..<1 << bits).map { _ in
        KeyedShard(maximum: maximumKeys >> bits, whenFull: whenFull, at: now)
      })
  }

  /// Spends a cost of a key's, if its bucket holds it.
  ///
  /// - Parameters:
  ///   - cost: How much.
  ///   - key: Whose.
  /// - Returns: Whether it was spent.
  /// - Precondition: `cost` is not negative.
  /// - Complexity: O(1) on the average, without allocation for a key that is remembered.
  public func tryAcquire(_ cost: Int = 1, for key: Key) -> Bool {
    ask(cost, for: key) { buckets, quota, slot, hash in
      buckets.tryAcquire(cost, quota, slot, hash: hash)
    }
  }

  /// Spends a cost of a key's, if its bucket holds it, and says what the caller can be told.
  ///
  /// - Parameters:
  ///   - cost: How much.
  ///   - key: Whose.
  /// - Returns: Whether it was spent, what remains, and how long to wait where it was not.
  /// - Precondition: `cost` is not negative.
  public func request(_ cost: Int = 1, for key: Key) -> Decision {
    ask(cost, for: key) { buckets, quota, slot, hash in
      let decision = buckets.decision(cost, quota, slot)
      if decision.isAllowed { buckets.charge(cost, quota, slot, hash: hash) }
      return decision
    }
  }

  /// What `request(_:for:)` would answer; nothing is spent, and the key is not remembered.
  ///
  /// - Parameters:
  ///   - cost: How much would be asked for.
  ///   - key: Whose.
  /// - Returns: The decision, with `remaining` and `resetAfter` as they would be after it.
  /// - Precondition: `cost` is not negative.
  public func peek(_ cost: Int = 1, for key: Key) -> Decision {
    ask(cost, for: key) { buckets, quota, slot, _ in buckets.decision(cost, quota, slot) }
  }

  /// Spends as much of a key's as its bucket holds, up to a number.
  ///
  /// - Parameters:
  ///   - count: How much at most.
  ///   - key: Whose.
  /// - Returns: How much was spent.
  /// - Precondition: `count` is not negative.
  public func take(upTo count: Int, for key: Key) -> Int {
    ask(count, for: key) { buckets, quota, slot, hash in
      let count = min(count, buckets.decision(0, quota, slot).remaining)
      buckets.charge(count, quota, slot, hash: hash)
      return count
    }
  }

  /// Takes a cost of a key's whether its bucket holds it or not: a penalty, for a wrong password
  /// perhaps.
  ///
  /// The key is refused until it is paid for. A new key for which there is no room is left alone.
  ///
  /// - Parameters:
  ///   - cost: How much.
  ///   - key: Whose.
  /// - Precondition: `cost` is not negative.
  public func penalize(_ cost: Int, for key: Key) {
    ask(cost, for: key) { buckets, quota, slot, hash in
      buckets.charge(cost, quota, slot, hash: hash)
    }
  }

  /// Forgets what a key has spent: its bucket is full again.
  ///
  /// - Parameter key: Whose.
  public func reset(_ key: Key) {
    let hash = key.keyHash
    shards[shard(hash)].state.withLock { state in
      if let entry = state.find(key, hash) { state.buckets.table.reset(entry) }
    }
  }

  /// How many keys are remembered, those with them whose buckets have filled since the last
  /// rebuild.
  public var keyCount: Int {
    shards.reduce(0) { $0 + $1.state.withLock { $0.keys.count } }
  }

  /// The part that a key falls to.
  @inline(__always)
  func shard(_ hash: UInt64) -> Int { Int(truncatingIfNeeded: hash) & (shards.count - 1) }

  @inline(__always)
  private func ask<Answer: Sendable>(
    _ cost: Int, for key: Key,
    _ body: (inout KeyedBuckets, Quota, KeyedBuckets.Slot, _ hash: UInt64) -> Answer
  ) -> Answer {
    ConfigurationError.requireCost(cost)
    let quota = quota(key)
    let hash = key.keyHash
    // The keys that are dropped to make room are released after the lock.
    var dropped: ContiguousArray<Key>?
    let answer = shards[shard(hash)].state.withLock { state in
      state.buckets.advance(to: service.now)
      let slot = state.slot(key, hash)
      let answer = body(&state.buckets, quota, slot, hash)
      state.keep(key, slot)
      dropped = state.takeDropped()
      return answer
    }
    if let dropped { withExtendedLifetime(dropped) {} }
    return answer
  }
}
