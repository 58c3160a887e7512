import Synchronization

/// A rate limiter with a token bucket for each key: for each user, address or tenant.
///
/// ```swift
/// let limiter = KeyedRateLimiter<UInt64>(rate: .perSecond(5), burst: 10, maximumKeys: 1_000_000)
/// guard limiter.tryAcquire(for: user) else { return tooManyRequests }
/// try await limiter.acquire(for: user, within: .seconds(1))
/// ```
///
/// A request for several keys is one decision: all of them must allow the cost, a refusal charges
/// none, and the decision names the key that refused.
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
/// A key whose bucket is full need not be stored, so memory follows the keys that spend: about 30
/// bytes for a key of eight bytes. There are never more than `maximumKeys`, so callers cannot make
/// the limiter grow by inventing keys; `whenFull` specifies what happens to new keys then. When
/// traffic falls the table shrinks, one shard at a time, within a minute in which the limiter is
/// called. Keys are spread over shards by hash, each with its share of the maximum, so the first
/// shard may be full while a few percent of the maximum are still free.
///
/// ## Timing
/// Waiters of a key are served in order, as in a ``TokenBucket``; the bound of their
/// ``QueuePolicy`` applies to the waiters of all keys together. With `.dropOldest`, a caller that
/// finds all places taken gets that of the first waiter of its own key; without one it is refused,
/// because no key displaces the waiters of another. A key with waiters or a pause is never evicted.
///
/// ## Concurrency
/// Thread-safe. A call blocks only callers whose keys fall into the same shard. Each
/// shard has at most one timer, armed only for waiters and pauses.
public final class KeyedRateLimiter<Key: Hashable & Sendable>: Sendable {
  let service: TimerService
  let shards: ShardList<KeyedShard<Key>>
  let quota: @Sendable (Key) -> Quota
  let waiting: WaitingCount
  private let sweeps = Atomic<Nanoseconds>(.min)
  private let swept = Atomic(0)

  /// Makes a limiter with the same quota for each key.
  ///
  /// - Parameters:
  ///   - rate: The refill rate of each key's bucket.
  ///   - burst: The most tokens that the bucket holds; it starts full.
  ///   - maximumKeys: The most keys in memory.
  ///   - whenFull: What happens to a new key at that maximum.
  ///   - queue: The bound of all waiters together, and the order within a key.
  ///   - clock: The clock to follow.
  /// - Precondition: `maximumKeys` is positive, and `rate` and `burst` are valid for a ``Quota``.
  public convenience init(
    rate: Rate, burst: Int, maximumKeys: Int, whenFull: FullTable = .forget,
    queue: QueuePolicy = .unlimited, clock: any Clock<Duration> = .dispatch
  ) {
    let quota = Quota(rate: rate, burst: burst)
    self.init(
      maximumKeys: maximumKeys, whenFull: whenFull, hasOneQuota: true, queue: queue, clock: clock
    ) { _ in
      quota
    }
  }

  /// As `init(rate:burst:maximumKeys:whenFull:queue:clock:)`, with a separate quota for each key.
  ///
  /// `quota` returns the quota of a key. A change takes effect at the key's next call, and keeps
  /// what was spent, in tokens. Of more than 255 different quotas in one shard, the others keep the
  /// time at which the bucket would have been full; so does the bucket that new keys share.
  public convenience init(
    maximumKeys: Int, whenFull: FullTable = .forget, queue: QueuePolicy = .unlimited,
    clock: any Clock<Duration> = .dispatch, quota: @escaping @Sendable (Key) -> Quota
  ) {
    self.init(
      maximumKeys: maximumKeys, whenFull: whenFull, hasOneQuota: false, queue: queue, clock: clock,
      quota: quota)
  }

  init(
    maximumKeys: Int, whenFull: FullTable, hasOneQuota: Bool, queue: QueuePolicy,
    clock: any Clock<Duration>, quota: @escaping @Sendable (Key) -> Quota
  ) {
    ConfigurationError.trapping(try Self.validate(maximumKeys))
    let service = clock.service
    let waiting = WaitingCount(maximum: queue.maximumWaiters)
    self.service = service
    self.waiting = waiting
    self.quota = quota
    // Shards have at least a few thousand keys, so that they fill evenly, and few enough to be
    // scanned under a lock.
    let bits = min(9, max(0, Int.bitWidth - 13 - maximumKeys.leadingZeroBitCount))
    shards = ShardList(
      ContiguousArray(
        (0..<1 << bits).map { _ in
          KeyedShard(
            maximum: maximumKeys >> bits, whenFull: whenFull, hasOneQuota: hasOneQuota,
            queue: queue, total: waiting,
            service: service)
        }))
  }

  deinit {
    for shard in shards.all { shard.close(.ended) }
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
    ask(cost, for: key) { state, quota, slot, hash in
      guard cost > 0 else {
        state.statistics.note(true, cost)
        return true
      }
      let bucket = state.buckets.bucket(quota, slot)
      let isAllowed = state.buckets.holds(cost, bucket, slot)
      if isAllowed { state.charge(cost, to: bucket, of: key, quota, slot, hash: hash) }
      state.statistics.note(isAllowed, cost)
      return isAllowed
    } queued: {
      $0.tryAcquire(cost, at: $1)
    } closed: {
      $0.statistics.note(false, cost)
      return false
    }
  }

  /// As `KeyedLimitingTool.request(_:for:)` for one key, synchronously and with a default cost of
  /// one.
  public func request(_ cost: Int = 1, for key: Key) -> Decision {
    ask(cost, for: key) { state, quota, slot, hash in
      let decision = state.buckets.decision(cost, quota, slot)
      if decision.isAllowed, cost > 0 {
        state.charge(cost, to: state.buckets.bucket(quota, slot), of: key, quota, slot, hash: hash)
      }
      state.statistics.note(decision.isAllowed, cost)
      return decision
    } queued: {
      $0.request(cost, at: $1)
    } closed: {
      $0.statistics.note(false, cost)
      return .closed
    }
  }

  /// As `KeyedLimitingTool.peek(_:for:)`, synchronously; the key is not added to the table.
  public func peek(_ cost: Int = 1, for key: Key) -> Decision {
    ask(cost, for: key) { state, quota, slot, _ in
      state.buckets.decision(cost, quota, slot)
    } queued: {
      $0.peek(cost, at: $1)
    } closed: { _ in
      .closed
    }
  }

  /// As `KeyedLimitingTool.take(upTo:for:)`, synchronously.
  public func take(upTo count: Int, for key: Key) -> Int {
    ask(count, for: key) { state, quota, slot, hash in
      let count = min(count, state.buckets.decision(0, quota, slot).remaining)
      guard count > 0 else { return 0 }
      state.charge(count, to: state.buckets.bucket(quota, slot), of: key, quota, slot, hash: hash)
      state.statistics.note(true, count)
      return count
    } queued: {
      $0.take(upTo: count, at: $1)
    } closed: { _ in
      0
    }
  }

  /// Takes a cost from the key's bucket even into debt: a penalty, such as for a wrong password.
  ///
  /// The key is refused until it is paid for. If there is no room for a new key, this is a no-op,
  /// except that `FullTable.share` charges the shared bucket.
  ///
  /// - Parameters:
  ///   - cost: The number of tokens.
  ///   - key: The key to charge.
  /// - Precondition: `cost` is not negative.
  public func penalize(_ cost: Int, for key: Key) {
    ask(cost, for: key) { state, quota, slot, hash in
      guard cost > 0 else { return }
      let slot = state.roomWithoutForgetting(slot, hash)
      guard slot != .forgetting else { return }
      state.charge(cost, to: state.buckets.bucket(quota, slot), of: key, quota, slot, hash: hash)
    } queued: {
      $0.penalize(cost, at: $1)
    } closed: { _ in
    }
  }

  /// Forgets what a key has spent: its bucket becomes full, and a pause ends.
  ///
  /// A key that nothing waits for is no longer in memory, and the table shrinks with its keys.
  public func reset(_ key: Key) {
    let quota = quota(key)
    shard(of: key).perform { state in
      guard !state.isClosed else { return }
      let hasQueue: Void? = state.withQueue(of: .key(key), quota) { bucket, now, _ in
        bucket.reset(at: now)
      }
      guard hasQueue == nil, let entry = state.find(key, key.keyHash) else { return }
      state.forgetFull(entry)
    }
  }

  /// The number of keys in memory, including some whose buckets have filled since.
  public var keyCount: Int {
    shards.all.reduce(0) { $0 + $1.state.withLock { $0.keys.count + $0.queuedKeys } }
  }

  /// Queries or changes a key's bucket, in the table or with waiters.
  @inline(__always)
  func ask<Answer: Sendable>(
    _ cost: Int, for key: Key,
    _ body: (inout KeyedShard<Key>.State, Quota, KeyedBuckets.Slot, _ hash: UInt64) -> Answer,
    queued: (inout KeyedShard<Key>.Bucket, PacingInstant) -> Answer,
    closed: (inout KeyedShard<Key>.State) -> Answer
  ) -> Answer {
    ConfigurationError.requireCost(cost)
    let quota = quota(key)
    let hash = key.keyHash
    let shard = shards[hash]
    // Keys dropped to make room are released after the lock.
    var dropped: ContiguousArray<Key>?
    var now = PacingInstant.distantPast
    let answer = shard.state.withLock { state -> Answer? in
      now = service.now
      state.buckets.advance(to: now)
      guard !state.hasQueues, !state.isClosed else { return nil }
      let slot = state.slot(key, hash, quota)
      let answer = body(&state, quota, slot, hash)
      dropped = state.takeDropped()
      return answer
    }
    if let dropped { withExtendedLifetime(dropped) {} }
    if now.nanoseconds >= sweeps.load(ordering: .relaxed) { sweep(at: now) }
    if let answer { return answer }
    return shard.perform { state in
      guard !state.isClosed else { return closed(&state) }
      state.wake()
      if let owner = state.owner(of: key),
        let answer = state.withQueue(of: owner, quota, { bucket, now, _ in queued(&bucket, now) })
      {
        return answer
      }
      let slot = state.slot(key, hash, quota)
      return body(&state, quota, slot, hash)
    }
  }

  /// Lets one shard shrink; all have their turn within a minute of calls.
  func sweep(at now: PacingInstant) {
    let interval: Nanoseconds = 30_000_000_000 / Nanoseconds(shards.all.count)
    let due = sweeps.load(ordering: .relaxed)
    guard now.nanoseconds >= due else { return }
    let (isMine, _) = sweeps.compareExchange(
      expected: due, desired: now.nanoseconds.adding(interval), ordering: .relaxed)
    guard isMine, due != .min else { return }
    // After a gap between calls several shards are due, handled a few per call.
    let late = (now.nanoseconds - due) / interval
    for _ in 0...min(late, 15) {
      let next = swept.add(1, ordering: .relaxed).oldValue
      shards[UInt64(truncatingIfNeeded: next)].perform { $0.sweep() }
    }
  }
}
