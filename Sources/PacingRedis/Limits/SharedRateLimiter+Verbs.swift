public import Pacing

extension SharedRateLimiter {
  /// As `request(_:for:)`, returning only whether the cost was spent.
  public func tryAcquire(_ cost: Int = 1, for key: Key) async -> Bool {
    await request(cost, for: key).isAllowed
  }

  /// Spends a cost if the key's bucket holds it, and returns the decision.
  ///
  /// - Parameters:
  ///   - cost: The number of tokens.
  ///   - key: The key to charge.
  /// - Returns: Whether the cost was spent, what remains, and how long to wait if it was not.
  ///   `source` distinguishes a refusal by the store from one by the failure policy.
  /// - Precondition: `cost` is not negative.
  public func request(_ cost: Int = 1, for key: Key) async -> Decision {
    ConfigurationError.requireCost(cost)
    guard findsLeasesByKey else { return await limits.request(cost, for: bucket(key)) }
    let (quota, hash) = (quota(key), key.hashValue)
    // Only boxes of this type are put in, below. A checked cast would look its type up.
    let known = limits.recall(cost, hash, quota) {
      unsafe unsafeDowncast($0, to: KeyBox<Key>.self).key == key
    }
    if let known { return known }
    let bucket = bucket(key, quota)
    let decision = await limits.request(cost, for: bucket)
    if decision.source == .lease { limits.remember(KeyBox(key), hash: hash, as: bucket) }
    return decision
  }

  /// Charges a cost to each of several keys if all their buckets hold it, otherwise to none.
  ///
  /// In a cluster the names must share a hash tag, such as "{tenant-3}user-7". A remembered refusal
  /// of some of the keys is the answer: the store is not asked for the others.
  ///
  /// - Parameters:
  ///   - cost: The number of tokens.
  ///   - keys: The keys to charge; a repeated key is charged once.
  /// - Returns: The decision, and the key that it is of: the one that refused, or else the one with
  ///   the least remaining.
  /// - Precondition: `cost` is not negative, and `keys` is not empty.
  public func request(_ cost: Int = 1, for keys: [Key]) async -> (key: Key, decision: Decision) {
    ConfigurationError.requireCost(cost)
    ConfigurationError.require(!keys.isEmpty, "keys", keys, must: "be one or several")
    let (decision, index) = await limits.request(cost, for: keys.map(bucket))
    return (keys[index], decision)
  }

  /// The decision that `request(_:for:)` would return, without spending or counting leased tokens.
  ///
  /// - Parameters:
  ///   - cost: The number of tokens.
  ///   - key: The key to ask about.
  /// - Returns: The decision, with `remaining` and `resetAfter` as they would be after the request.
  /// - Precondition: `cost` is not negative.
  public func peek(_ cost: Int = 1, for key: Key) async -> Decision {
    ConfigurationError.requireCost(cost)
    return await limits.peek(cost, for: bucket(key))
  }

  /// Spends as many tokens as the key's bucket holds, up to `count`.
  ///
  /// - Parameters:
  ///   - count: The maximum number of tokens to spend.
  ///   - key: The key to charge.
  /// - Returns: The number of tokens spent.
  /// - Precondition: `count` is not negative.
  public func take(upTo count: Int, for key: Key) async -> Int {
    ConfigurationError.requireCost(count)
    return await limits.take(upTo: count, for: bucket(key))
  }

  /// Spends a cost, waiting for it in FIFO order behind the callers of all processes.
  ///
  /// One call reserves a place in the store, and the task sleeps until then. A task cancelled
  /// meanwhile gives nothing back, because later callers keep their times; its reservation is lost.
  ///
  /// While the store is unavailable, `.allow` returns immediately, `.deny` throws a ``StoreError``,
  /// and `.localShare` waits for this instance's share.
  ///
  /// - Parameters:
  ///   - cost: The number of tokens.
  ///   - key: The key to charge.
  ///   - timeout: The maximum wait from the call, inclusive, with the time that the store takes;
  ///     nil for no limit. A longer wait is refused as soon as the store has answered. A cost that
  ///     need not wait is granted by that answer, even if the timeout has passed.
  /// - Throws: `AcquireError` if the cost exceeds the burst, or the wait the timeout or what the
  ///   store can count (2^53 of its units);
  ///   ``StoreError``; or `CancellationError`.
  /// - Precondition: `cost` is not negative.
  public func acquire(_ cost: Int = 1, for key: Key, within timeout: Duration? = nil) async throws {
    ConfigurationError.requireCost(cost)
    try await limits.acquire(cost, within: timeout, for: bucket(key))
  }

  /// Charges a cost even if the bucket does not hold it, as a penalty.
  ///
  /// - Parameters:
  ///   - cost: The number of tokens.
  ///   - key: The key to charge.
  /// - Returns: Whether the store answered.
  /// - Precondition: `cost` is not negative.
  @discardableResult
  public func penalize(_ cost: Int, for key: Key) async -> Bool {
    ConfigurationError.requireCost(cost)
    return await limits.penalize(cost, for: bucket(key))
  }

  /// Resets a key to a full bucket.
  ///
  /// Other processes may keep refusing until the `retryAfter` that they remember.
  ///
  /// - Parameter key: The key to reset.
  /// - Returns: Whether the store answered.
  @discardableResult
  public func reset(_ key: Key) async -> Bool {
    await limits.reset(bucket(key))
  }
}
