import Synchronization

/// A rate limiter with a token bucket for each key: for each user, address or tenant.
///
/// ```swift
/// let limiter = KeyedRateLimiter<UInt64>(rate: .perSecond(5), burst: 10, maximumKeys: 1_000_000)
/// guard limiter.tryAcquire(for: user) else { return tooManyRequests }
/// try await limiter.acquire(for: user, within: .seconds(1))
/// ```
///
/// A key may have a separate quota, or other limits. A request for several keys, such as
/// `limiter.request(for: [.user(7), .tenant(3), .everyone])`, is one decision: all of them must
/// allow the cost, a refusal charges none, and the decision names the key that refused.
///
/// ## Memory
/// A key whose bucket is full need not be stored, so memory follows the keys that spend: about 30
/// bytes for a key of eight bytes, and more for one that waits or is paused. There are never more
/// than `maximumKeys`, so callers cannot make the limiter grow by inventing keys. By default a
/// grant to a new key then evicts the one whose bucket is full first, of eight sampled at random;
/// while all keys together are granted at most half of `maximumKeys` times the rate, it still has a
/// debt with a probability of at most 1/256. A refusal instead has `refusedBy` `.table`, and in
/// `retryAfter` when the first of eight is full. Keys with waiters or a pause are never evicted; a
/// pause, a penalty and a settlement evict no key with a debt, and return false. If all wait or are
/// paused, a new key is refused, and no time can be named. When traffic falls the table shrinks,
/// within a minute in which the limiter is called. Keys are spread over shards by hash, each with
/// its share of the maximum, so the first shard may be full while a few percent of the maximum are
/// still free.
///
/// ## Concurrency
/// Thread-safe. Waiters of a key are served in order, as in a ``TokenBucket``, and the bound of
/// their ``QueuePolicy`` applies to each key. A call blocks only callers whose keys fall into the
/// same shard. A key that waits or is paused has a timer, others have none.
public final class KeyedRateLimiter<Key: Hashable & Sendable>: Sendable {
  let service: TimerService
  let shards: ShardList<KeyedShard<Key>>
  private let created: PacingInstant
  private let sweeps = Atomic<Nanoseconds>(.min)
  private let swept = Atomic(0)

  /// Creates a limiter with the same quota for each key.
  ///
  /// - Parameters:
  ///   - rate: The refill rate of each key's bucket.
  ///   - burst: The most tokens that the bucket holds; it starts full.
  ///   - maximumKeys: The most keys in memory.
  ///   - whenFull: Whether a new key evicts another at that maximum, or is refused.
  ///   - queue: The bound and the order of each key's waiters.
  ///   - clock: The clock to follow.
  /// - Precondition: `maximumKeys` is positive, and `rate` and `burst` are valid for a ``Quota``.
  public convenience init(
    rate: Rate, burst: Int, maximumKeys: Int, whenFull: WhenFull = .makeRoom,
    queue: QueuePolicy = .unlimited, clock: any Clock<Duration> = .dispatch
  ) {
    let quota = Quota(rate: rate, burst: burst)
    self.init(maximumKeys, whenFull, queue, clock) { _ in .bucket(quota) }
  }

  /// Creates a limiter with a separate quota for each key.
  ///
  /// `quota` returns the quota of a key. It is called on each call for that key, on the caller's
  /// thread and outside every lock. A change takes effect at once, for waiters too; the key keeps
  /// the instant at which its bucket is full.
  ///
  /// - Precondition: `maximumKeys` is positive.
  public convenience init(
    maximumKeys: Int, whenFull: WhenFull = .makeRoom, queue: QueuePolicy = .unlimited,
    clock: any Clock<Duration> = .dispatch, quota: @escaping @Sendable (Key) -> Quota
  ) {
    self.init(maximumKeys, whenFull, queue, clock) { .bucket(quota($0)) }
  }

  /// Creates a limiter with any limits for each key: buckets, fixed and sliding windows, as a
  /// ``RateLimiter`` has.
  ///
  /// ```swift
  /// let limiter = KeyedRateLimiter<UInt64>(maximumKeys: 100_000) { _ in
  ///   [.tokenBucket(rate: .perSecond(5), burst: 10), .slidingWindow(1000, per: .seconds(3600))]
  /// }
  /// ```
  ///
  /// A cost is charged to each part of a key's limits, or to none. They count from the limiter's
  /// creation: windows on a grid begin then, and so does a bucket's `initial`. `limits` returns one
  /// or several, and is called as `quota` is; a change takes effect at once, by the rules of
  /// ``RateLimiter/reconfigure(_:)``; a key that could have been forgotten begins again.
  ///
  /// A key whose windows are empty and whose buckets are full is forgotten within a minute in which
  /// the limiter is called. Before that it takes some hundred bytes.
  ///
  /// - Precondition: `maximumKeys` is positive.
  public convenience init(
    maximumKeys: Int, whenFull: WhenFull = .makeRoom, queue: QueuePolicy = .unlimited,
    clock: any Clock<Duration> = .dispatch, limits: @escaping @Sendable (Key) -> [Limit]
  ) {
    self.init(maximumKeys, whenFull, queue, clock) { .parts(limits($0)) }
  }

  private init(
    _ maximumKeys: Int, _ whenFull: WhenFull, _ queue: QueuePolicy,
    _ clock: any Clock<Duration>, _ limits: @escaping @Sendable (Key) -> KeyLimits
  ) {
    ConfigurationError.require(maximumKeys > 0, "maximumKeys", maximumKeys, must: "be positive")
    let (service, created) = (clock.service, clock.service.now)
    self.service = service
    self.created = created
    // Shards have at least a few thousand keys, so that they fill evenly, and few enough to be
    // scanned under a lock.
    let bits = min(9, max(0, Int.bitWidth - 13 - maximumKeys.leadingZeroBitCount))
    shards = ShardList(
      ContiguousArray(
        (0..<1 << bits).map { _ in
          KeyedShard(
            .init(maximum: maximumKeys >> bits, whenFull: whenFull, at: created), queue, service,
            limits)
        }))
  }

  deinit { for shard in shards.all { shard.close(.ended) } }

  /// Spends a cost if the key's bucket holds it.
  ///
  /// - Returns: Whether the cost was spent.
  /// - Complexity: O(1) on the average, without allocation for a key that is remembered.
  public func tryAcquire(_ cost: Int = 1, for key: Key) -> Bool {
    ask(cost, for: key) { state, quota, slot in
      if cost > 0, state.spend(cost, quota, of: key, slot) { return true }
      state.statistics.note(cost == 0, cost)
      return cost == 0
    } otherwise: { hash, limits, now in
      shards[hash].change(
        key, hash, limits, at: now, isGrant: true, counts: true, otherwise: false
      ) { $0.tryAcquire(Costs(cost)) }
    }
  }

  /// As `tryAcquire(_:for:)`, and reports what to tell the caller.
  public func request(_ cost: Int = 1, for key: Key) -> Decision {
    ask(cost, for: key) { state, quota, slot in
      var bucket = state.table.bucket(quota, slot)
      let decision = state.table.request(cost, &bucket, slot, at: state.latest)
      if decision.isAllowed, cost > 0 { state.store(bucket.stamp, of: key, slot) }
      state.statistics.note(decision.isAllowed, cost)
      return decision
    } otherwise: { hash, limits, now in
      shards[hash].decision(Costs(cost), for: key, hash, limits, at: now)
    }
  }

  /// As `request(_:for:)`, with a cost for each named part of the key's limits.
  public func request(_ costs: Costs, for key: Key) -> Decision {
    let (hash, shard) = shard(of: key)
    return shard.decision(costs, for: key, hash, shard.limits(key), at: sweep())
  }

  /// The answer that `request(_:for:)` would give, with `remaining` and `resetAfter` as they would
  /// be after it; nothing is spent, and the key is not added to the table.
  public func peek(_ cost: Int = 1, for key: Key) -> Decision {
    let (hash, shard) = shard(of: key)
    return shard.decision(
      Costs(cost), for: key, hash, shard.limits(key), at: sweep(), isQuery: true)
  }

  /// Spends as much as the key's bucket holds, up to a number, and returns the amount.
  public func take(upTo count: Int, for key: Key) -> Int {
    ConfigurationError.requireCost(count)
    return change(key, isGrant: true, otherwise: 0) { $0.take(upTo: count) }
  }

  /// What a limiter has charged a key, to be corrected as a ``Pacing/Charge`` is.
  public struct Charge: Refundable, Sendable {
    @usableFromInline let shard: KeyedShard<Key>

    /// The key that was charged.
    public let key: Key

    /// What was charged.
    public let costs: Costs

    /// The instant from which the grant counts.
    public let instant: PacingInstant

    @usableFromInline
    init(shard: KeyedShard<Key>, key: Key, costs: Costs, instant: PacingInstant) {
      self.shard = shard
      self.key = key
      self.costs = costs
      self.instant = instant
    }

    /// Corrects the charge to what the call really cost, as ``Pacing/Charge/settle(_:)-(Costs)``
    /// does.
    ///
    /// - Parameter costs: The real cost; an integer only if an integer was charged.
    /// - Returns: Whether it was corrected; false if a debt is left, but the key was forgotten and
    ///   the table is full, or if the limiter is closed.
    /// - Precondition: The key's limits have a part for each name.
    @discardableResult
    public func settle(_ costs: Costs) -> Bool {
      change { $0.settle(self.costs, as: costs, chargedAt: instant) }
    }

    /// As `settle(_:)`, with the same cost for each part.
    @discardableResult
    public func settle(_ cost: Int) -> Bool { settle(Costs(cost)) }

    /// Gives all of the charge back, for work that was not done.
    public func cancel() { _ = change { $0.cancel(costs, chargedAt: instant) } }

    private func change(_ body: (inout QueueContents) -> Void) -> Bool {
      shard.change(key, key.keyHash, otherwise: false) {
        body(&$0)
        return true
      }
    }
  }

  /// Spends a cost from a key's bucket, as `AwaitableLimit.acquire(_:within:)` does; in turn with
  /// the other waiters of that key.
  ///
  /// A new key that a full table refuses gets `AcquireError.deadline` immediately.
  ///
  /// - Returns: What was charged, to be corrected when the real cost is known.
  @discardableResult
  @inlinable
  public func acquire(
    _ cost: Int = 1, for key: Key, within timeout: Duration? = nil
  ) async throws -> Charge {
    try await acquire(Costs(cost), for: key, within: timeout)
  }

  /// As `acquire(_:for:within:)`, with a cost for each named part of the key's limits.
  @discardableResult
  @inlinable
  public func acquire(
    _ costs: Costs, for key: Key, within timeout: Duration? = nil
  ) async throws -> Charge {
    let (hash, shard) = shard(of: key)
    let instant = try await shard.take(costs, for: key, hash, within: timeout)
    // A charge is made where the type of the key is known.
    return Charge(shard: shard, key: key, costs: costs, instant: instant)
  }

  /// As `LimitingTool.acquire(_:within:on:completion:)`, from a key's bucket.
  @discardableResult
  public func acquire(
    _ cost: Int = 1, for key: Key, within timeout: Duration? = nil, on place: Place = .shared,
    completion: @escaping @Sendable (Result<Charge, AcquireError>) -> Void
  ) -> Acquisition {
    let ((hash, shard), costs) = (shard(of: key), Costs(cost))
    let complete = place.completion(for: self, in: service) {
      completion($0.map { Charge(shard: shard, key: key, costs: costs, instant: $0) })
    }
    let entrance = shard.enter(costs, for: key, hash, within: timeout, as: .completion, complete)
    return Acquisition(entrance, complete)
  }

  /// The grants to a key as a stream, as those of ``LimitingTool/ticks()``; it also ends if a full
  /// table refuses the key.
  public func ticks(for key: Key) -> AsyncStream<PacingInstant> {
    let (hash, shard) = shard(of: key)
    return AsyncStream { await shard.takeNext(1, for: key, hash) }
  }

  /// The limit of one key, for `limited(by:)`, polls and retries; it keeps this limiter alive.
  ///
  /// The queue's bound does not end a sequence that it limits, but a full table does.
  public func limit(for key: Key) -> some AwaitableLimit { SingleKeyLimit(limiter: self, key: key) }

  /// Takes a cost from the key's bucket even into debt: a penalty, such as for a wrong password.
  ///
  /// - Returns: Whether it was charged; false if there is no room for a new key, or if the limiter
  ///   is closed.
  @discardableResult
  public func penalize(_ cost: Int, for key: Key) -> Bool {
    let costs = Costs(cost)
    return change(key, otherwise: false) {
      $0.state.spend(costs, at: $0.state.latest)
      return true
    }
  }

  /// Forgets what a key has spent: its bucket becomes full, and a pause ends.
  ///
  /// A key that nothing waits for is no longer in memory: one with an `initial` starts with that.
  public func reset(_ key: Key) { change(key, otherwise: ()) { $0.state.reset(since: created) } }

  /// Grants a key nothing for a time, as ``LimitingTool/pause(for:)`` does.
  ///
  /// - Returns: Whether the key is paused; false for no pause, if there is no room for a new key,
  ///   or if the limiter is closed.
  @discardableResult
  public func pause(_ key: Key, for duration: Duration) -> Bool {
    let span = Nanoseconds(wait: duration)
    guard span > 0 else { return false }
    return change(key, otherwise: false) {
      $0.state.pause(until: $0.state.latest + span)
      return true
    }
  }

  /// Ends a key's pause early.
  public func resume(_ key: Key) { change(key, otherwise: ()) { $0.state.resume() } }

  /// Closes the limiter: it grants nothing from now on.
  ///
  /// Waiters and later callers are refused with `AcquireError.closed`, streams and pauses end.
  public func close() { for shard in shards.all { shard.close(.refused(.closed)) } }

  /// A key's balance, rounded down, less what its waiters ask for; it may be negative.
  public func available(for key: Key) -> Int {
    change(key, isQuery: true, otherwise: 0) { $0.state.available }
  }

  /// The number of keys in memory, including some whose buckets have filled since.
  public var keyCount: Int { sum { $0.keyCount } }

  /// The number of keys evicted before their buckets were full.
  public var forgottenCount: Int { sum { $0.forgotten } }

  /// The number of waiters of all keys together.
  public var waitingCount: Int { sum { $0.waitingCount } }

  /// Counts of what the limiter has decided since its creation.
  public var statistics: LimitStatistics {
    shards.all.reduce(into: LimitStatistics()) { $0.add($1.state.withLock { $0.decided }) }
  }

  private func sum(_ count: (borrowing KeyedShard<Key>.State) -> Int) -> Int {
    shards.all.reduce(0) { $0 + $1.state.withLock { count($0) } }
  }

  private func change<Answer>(
    _ key: Key, isGrant: Bool = false, isQuery: Bool = false, otherwise other: Answer,
    _ body: (inout QueueContents) -> Answer
  ) -> Answer {
    let (hash, shard) = shard(of: key)
    return shard.change(key, hash, isGrant: isGrant, isQuery: isQuery, otherwise: other, body)
  }

  @usableFromInline
  func shard(of key: Key) -> (hash: UInt64, shard: KeyedShard<Key>) {
    let hash = key.keyHash
    return (hash, shards[hash])
  }

  @inline(__always)
  private func ask<Answer: Sendable>(
    _ cost: Int, for key: Key,
    _ table: (inout KeyedShard<Key>.State, Quota, TableSlot) -> Answer,
    otherwise: (UInt64, KeyLimits, PacingInstant) -> Answer
  ) -> Answer {
    ConfigurationError.requireCost(cost)
    let now = service.now
    if now.nanoseconds >= sweeps.load(ordering: .relaxed) { sweep() }
    let hash = key.keyHash
    return shards[hash].ask(key, hash, at: now, table) { otherwise(hash, $0, now) }
  }

  /// Shrinks one shard's table, so that all have their turn within a minute of calls; returns now.
  @discardableResult
  func sweep() -> PacingInstant {
    let now = service.now
    let interval: Nanoseconds = 30_000_000_000 / Nanoseconds(shards.all.count)
    let due = sweeps.load(ordering: .relaxed)
    guard now.nanoseconds >= due else { return now }
    let (isMine, _) = sweeps.compareExchange(
      expected: due, desired: now.nanoseconds.adding(interval), ordering: .relaxed)
    guard isMine, due != .min else { return now }
    // After a gap between calls several shards are due, handled a few per call.
    let late = (now - PacingInstant(nanoseconds: due)) / interval
    for _ in 0...min(late, 15) {
      let next = swept.add(1, ordering: .relaxed).oldValue
      shards[UInt64(truncatingIfNeeded: next)].sweep()
    }
    return now
  }
}

struct SingleKeyLimit<Key: Hashable & Sendable>: StreamingLimit {
  let limiter: KeyedRateLimiter<Key>
  let key: Key

  func acquire(
    _ cost: Int, within timeout: Duration?
  ) async throws -> KeyedRateLimiter<Key>.Charge {
    try await limiter.acquire(cost, for: key, within: timeout)
  }

  func takeNext(_ cost: Int) async -> PacingInstant? {
    let (hash, shard) = limiter.shard(of: key)
    return await shard.takeNext(cost, for: key, hash)
  }
}
