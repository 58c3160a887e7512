public import Pacing

extension SharedRateLimiter {
  /// Spends a cost if the key's bucket holds it.
  ///
  /// - Parameters:
  ///   - cost: The number of tokens.
  ///   - key: The key to charge.
  /// - Returns: Whether it was spent.
  /// - Precondition: `cost` is not negative.
  public func tryAcquire(_ cost: Int = 1, for key: Key) async -> Bool {
    await request(cost, for: key).isAllowed
  }

  /// Spends a cost if the key's bucket holds it, and reports what the caller can be told.
  ///
  /// - Parameters:
  ///   - cost: The number of tokens.
  ///   - key: The key to charge.
  /// - Returns: Whether the cost was spent, what remains, and how long to wait if it was not;
  ///   `source` tells a refusal of the store from one of the failure policy.
  /// - Precondition: `cost` is not negative.
  public func request(_ cost: Int = 1, for key: Key) async -> Decision {
    requireCost(cost)
    return await limits.request(cost, for: bucket(key))
  }

  /// Spends a cost of each of several keys if all of their buckets hold it, otherwise of none.
  ///
  /// In a cluster the names must share a hash tag, such as "{tenant-3}user-7".
  ///
  /// - Parameters:
  ///   - cost: The number of tokens.
  ///   - keys: The keys to charge; one that is named twice is charged once.
  /// - Returns: Whether the cost was spent, and the key that refused if it was not.
  /// - Precondition: `cost` is not negative, and there is a key.
  public func request(_ cost: Int = 1, for keys: [Key]) async -> KeyedDecision<Key> {
    requireCost(cost)
    ConfigurationError.require(!keys.isEmpty, "keys", keys, must: "be one or several")
    let (decision, index) = await limits.request(cost, for: keys.map(bucket))
    return KeyedDecision(decision, of: keys[index])
  }

  /// The answer of `request(_:for:)`; nothing is spent.
  ///
  /// - Parameters:
  ///   - cost: The number of tokens.
  ///   - key: The key to ask about.
  /// - Returns: The decision, with `remaining` and `resetAfter` as they would be after it.
  /// - Precondition: `cost` is not negative.
  public func peek(_ cost: Int = 1, for key: Key) async -> Decision {
    requireCost(cost)
    return await limits.peek(cost, for: bucket(key))
  }

  /// Spends as many tokens as the key's bucket holds, up to a number.
  ///
  /// - Parameters:
  ///   - count: The most to spend.
  ///   - key: The key to charge.
  /// - Returns: The number of tokens spent.
  /// - Precondition: `count` is not negative.
  public func take(upTo count: Int, for key: Key) async -> Int {
    requireCost(count)
    return await limits.take(upTo: count, for: bucket(key))
  }

  /// Spends a cost, waiting for it in turn behind the callers of all processes.
  ///
  /// It takes one call: the place is reserved in the store, and the task sleeps until then. A task
  /// that is cancelled meanwhile gives nothing back, because those behind it keep their times; what
  /// it reserved is lost.
  ///
  /// While the store cannot be asked, `.allow` returns at once, `.deny` throws a `StoreError`, and
  /// `.localShare` waits for the share of this instance.
  ///
  /// - Parameters:
  ///   - cost: The number of tokens.
  ///   - key: The key to charge.
  ///   - timeout: The longest wait, nil for as long as it takes; a wait of exactly that is granted,
  ///     and a longer one is refused at once.
  /// - Throws: `AcquireError` if the cost is above the burst or comes too late, `StoreError`, or
  ///   `CancellationError`.
  /// - Precondition: `cost` is not negative.
  public func acquire(_ cost: Int = 1, for key: Key, within timeout: Duration? = nil) async throws {
    requireCost(cost)
    try await limits.acquire(cost, within: timeout, for: bucket(key))
  }

  /// Takes a cost whether the bucket holds it or not, as a penalty.
  ///
  /// - Parameters:
  ///   - cost: The number of tokens.
  ///   - key: The key to charge.
  /// - Returns: Whether the store has answered.
  /// - Precondition: `cost` is not negative.
  @discardableResult
  public func penalize(_ cost: Int, for key: Key) async -> Bool {
    requireCost(cost)
    return await limits.penalize(cost, for: bucket(key))
  }

  /// Forgets what a key has spent.
  ///
  /// Other processes may refuse until the `retryAfter` that they remember.
  ///
  /// - Parameter key: The key to forget.
  /// - Returns: Whether the store has answered.
  @discardableResult
  public func reset(_ key: Key) async -> Bool {
    await limits.reset(bucket(key))
  }

  private func requireCost(_ cost: Int) {
    ConfigurationError.require(cost >= 0, "cost", cost, must: "not be negative")
  }
}
