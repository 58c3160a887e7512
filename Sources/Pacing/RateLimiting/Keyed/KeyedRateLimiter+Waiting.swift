extension KeyedRateLimiter {
  /// As `KeyedLimitingTool.acquire(_:for:within:)`, with a default cost of one.
  ///
  /// Waiters of one key are served in turn, with the timing of `AwaitableLimit.acquire(_:within:)`.
  /// A new key that a full table refuses is refused immediately.
  public func acquire(_ cost: Int = 1, for key: Key, within timeout: Duration? = nil) async throws {
    let timeout = timeout.map(Nanoseconds.init(wait:))
    makePlaces()
    try await shard(of: key).take(cost, for: key, quota(key), within: timeout).get()
  }

  /// Requests a cost from a key's bucket, and calls a closure when it is granted or refused, as
  /// `LimitingTool.acquire(_:within:on:completion:)` does.
  @discardableResult
  public func acquire(
    _ cost: Int = 1, for key: Key, within timeout: Duration? = nil, on place: Place = .shared,
    completion: @escaping @Sendable (Result<Void, AcquireError>) -> Void
  ) -> Acquisition {
    acquire(cost, for: key, within: timeout, Callback(on: place, completion))
  }

  /// As `acquire(_:for:within:on:completion:)`, with a completion on the main actor.
  @discardableResult
  public func acquire(
    _ cost: Int = 1, for key: Key, within timeout: Duration? = nil, on place: Place.Main,
    completion: @escaping @MainActor (Result<Void, AcquireError>) -> Void
  ) -> Acquisition {
    acquire(cost, for: key, within: timeout, Callback(on: place, completion))
  }

  private func acquire(
    _ cost: Int, for key: Key, within timeout: Duration?,
    _ callback: Callback<Result<Void, AcquireError>>
  ) -> Acquisition {
    let shard = shard(of: key)
    let tell = Turn.request(for: self, callback, in: service) { $0 }
    let timeout = timeout.map(Nanoseconds.init(wait:))
    makePlaces()
    switch shard.enter(cost, for: key, quota(key), within: timeout, { tell }) {
    case .decided(let outcome):
      tell(outcome)
      return Acquisition(withdraw: nil)
    case .waiting(let place): return Acquisition { shard.withdraw(place) }
    }
  }

  /// Serves the waiters of all keys that are due, if the queue is full: they leave their places.
  private func makePlaces() {
    guard waiting.maximum > 0, waiting.isFull else { return }
    let now = service.now
    for shard in shards.all { shard.serve(at: now) }
  }

  /// The grants to a key as a stream: each call of `next()` waits for a token, in turn with all
  /// others.
  ///
  /// Each call returns a separate stream. It ends as that of ``LimitingTool/ticks()`` does, and
  /// does not keep the limiter alive. If a full table refuses the key, the stream waits until there
  /// is room, which other new keys may take first.
  public func ticks(for key: Key) -> AsyncStream<Grant> {
    let (shard, quota) = (shard(of: key), quota)
    return Grant.stream { await shard.takeNext(1, for: key, quota) }
  }

  /// The limit of one key, for `limited(by:)`, polls and retries; it keeps this limiter alive.
  ///
  /// A sequence that it limits waits as `ticks(for:)` does, and loses no element: neither the
  /// queue's bound nor a full table ends it.
  public func limit(for key: Key) -> some AwaitableLimit { SingleKeyLimit(limiter: self, key: key) }

  // MARK: Pausing and closing

  /// Grants a key nothing for a time, such as one that a server requests with `Retry-After`.
  ///
  /// Waiters keep their places, except those that can no longer be served in time, which are
  /// refused immediately. A longer pause stays in force. If the table is full and does not contain
  /// the key, or if the limiter is closed, this is a no-op.
  ///
  /// - Parameters:
  ///   - key: The key to pause.
  ///   - duration: The length of the pause; zero or a negative one is no pause.
  /// - Returns: Whether the key is paused.
  @discardableResult
  public func pause(_ key: Key, for duration: Duration) -> Bool {
    let span = Nanoseconds(wait: duration)
    guard span > 0 else { return false }
    let (shard, quota) = (shard(of: key), quota(key))
    let policy = shard.policy
    return shard.perform { state in
      state.pause(key, quota, until: state.buckets.latest + span, policy: policy)
    }
  }

  /// Ends a key's pause early.
  public func resume(_ key: Key) {
    let quota = quota(key)
    shard(of: key).perform { state in
      _ = state.withQueue(of: .key(key), quota) { bucket, now, _ in bucket.resume(at: now) }
    }
  }

  /// Closes the limiter: it grants nothing from now on.
  ///
  /// Waiters and later callers are refused with `AcquireError.closed`, streams and pauses end.
  public func close() {
    for shard in shards.all { shard.close(.refused(.closed)) }
  }

  // MARK: Queries

  /// A key's balance, rounded down, less what its waiters hold; it may be negative.
  public func available(for key: Key) -> Int {
    ask(0, for: key) { state, quota, slot, _ in
      state.buckets.bucket(quota, slot).available(at: state.buckets.latest)
    } queued: {
      $0.available(at: $1)
    } closed: { _ in
      0
    }
  }

  /// The number of waiters of all keys together.
  public var waitingCount: Int {
    shards.all.reduce(0) { $0 + $1.state.withLock { $0.waiting } }
  }

  /// How many keys with waiters or a pause there is memory for.
  package var queueCapacity: Int {
    shards.all.reduce(0) { $0 + $1.state.withLock { $0.queues.capacity } }
  }

  /// Counts of what the limiter has decided since its creation, and what it holds now.
  public var statistics: KeyedLimitStatistics {
    shards.all.reduce(into: KeyedLimitStatistics()) { sum, shard in
      shard.state.withLock { state in
        sum.granted += state.statistics.granted
        sum.refused += state.statistics.refused
        sum.withdrawn += state.statistics.withdrawn
        sum.forgotten += state.forgotten
        sum.keys += state.keys.count + state.queuedKeys
        sum.waiting += state.waiting
      }
    }
  }

  func shard(of key: Key) -> KeyedShard<Key> { shards[key.keyHash] }
}

extension KeyedShard.State {
  fileprivate mutating func pause(
    _ key: Key, _ quota: Quota, until end: PacingInstant, policy: QueuePolicy
  ) -> Bool {
    guard !isClosed else { return false }
    wake()
    if queues[.key(key)] == nil {
      let hash = key.keyHash
      let slot = roomWithoutForgetting(slot(key, hash, quota), hash)
      switch slot {
      case .known, .new: beginQueue(of: .key(key), quota, slot, policy: policy)
      case .forgetting, .stranger: return false
      }
    }
    return withQueue(of: .key(key), quota) { bucket, now, _ in bucket.pause(until: end, at: now) }
      != nil
  }
}

/// One key's limit.
struct SingleKeyLimit<Key: Hashable & Sendable>: StreamingLimit {
  let limiter: KeyedRateLimiter<Key>
  let key: Key

  func acquire(_ cost: Int, within timeout: Duration?) async throws {
    try await limiter.acquire(cost, for: key, within: timeout)
  }

  func takeNext(_ cost: Int) async -> PacingInstant? {
    await limiter.shard(of: key).takeNext(cost, for: key, limiter.quota)
  }
}
