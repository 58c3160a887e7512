public import Pacing

/// A token bucket for each key, in this process or in a shared store.
///
/// A service takes `any KeyedLimitingTool` and works with either. A `KeyedRateLimiter` answers
/// immediately, so its methods are synchronous and need no `await` when called on that type; a
/// limiter that asks a store suspends.
///
/// Costs are numbers of tokens; a negative one traps.
///
/// ## Concurrency
/// Thread-safe.
public protocol KeyedLimitingTool<Key>: AnyObject, Sendable {
  /// The type of keys: a user, an address, a tenant.
  associatedtype Key: Hashable & Sendable

  /// What a caller that waited gets for its cost, such as a charge to be settled.
  associatedtype Spent: Sendable = Void

  /// Spends a cost if the key's bucket holds it, and reports what to tell the caller: whether the
  /// cost was spent, what remains, and how long to wait if it was not.
  func request(_ cost: Int, for key: Key) async -> Decision

  /// Charges a cost to each of several keys if all of their buckets hold it, otherwise to none.
  ///
  /// - Parameters:
  ///   - cost: The number of tokens.
  ///   - keys: The keys to charge, at least one; a repeated key is charged once.
  /// - Returns: The decision, and the key that it is of: the one that refused, or else the one with
  ///   the least remaining.
  func request(_ cost: Int, for keys: [Key]) async -> (key: Key, decision: Decision)

  /// The answer that `request(_:for:)` would give, with `remaining` and `resetAfter` as they would
  /// be after it; nothing is spent.
  func peek(_ cost: Int, for key: Key) async -> Decision

  /// Spends as many tokens as the key's bucket holds, up to a number.
  ///
  /// - Returns: The number of tokens spent.
  func take(upTo count: Int, for key: Key) async -> Int

  /// Spends a cost from a key's bucket, waiting for it in turn.
  ///
  /// - Parameters:
  ///   - cost: The number of tokens.
  ///   - key: The key to charge.
  ///   - timeout: The longest wait, nil for no bound.
  /// - Returns: What was charged.
  /// - Throws: `AcquireError` if the cost cannot be granted, or not in time; `CancellationError`
  ///   if the task is cancelled before the grant.
  @discardableResult
  func acquire(_ cost: Int, for key: Key, within timeout: Duration?) async throws -> Spent
}

extension KeyedRateLimiter: KeyedLimitingTool {}
