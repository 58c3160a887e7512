public import Pacing

/// A rate limiter with a token bucket for each key that all processes share: a `KeyedRateLimiter`
/// in Redis or Valkey.
///
/// ```swift
/// let limiter = SharedRateLimiter<String>(
///   rate: .perSecond(100), burst: 200, in: store, onFailure: .localShare(of: 4)
/// ) { "limit:\($0)" }
/// let decision = await limiter.request(for: user)
/// ```
///
/// The buckets of one process are cheaper and never fail: use a `KeyedRateLimiter` if there is one
/// process, or if each may have its part of the limit.
///
/// ## Timing
/// Counting is exact and follows the server's clock, in microseconds. For one key, at most the
/// burst and what comes at the rate is granted over every interval, by all processes together. A
/// loss of the server's data adds a burst, and an outage what `onFailure` lets pass.
///
/// ## Calls
/// A process has one call for requests of a key on its way; those that come meanwhile share the
/// next. A refusal is remembered until the instant from which the store would grant, and answered
/// without a call. With a `Lease` keys that are asked for often are answered from tokens taken
/// ahead.
///
/// ## Concurrency
/// All methods are thread-safe. A request waits at most for the store's timeout, also in a task
/// that is cancelled; it can have been charged when it is answered by the failure policy.
public final class SharedRateLimiter<Key: Hashable & Sendable>: KeyedLimitingTool {
  let limits: SharedLimits
  private let name: @Sendable (Key) -> String
  private let quota: @Sendable (Key) -> Quota

  /// Makes a limiter whose keys have quotas of their own.
  ///
  /// - Parameters:
  ///   - store: The store of the buckets.
  ///   - failure: The answer while the store cannot be asked; also for a quota that the store
  ///     cannot count, one whose burst takes more than 2^53 units of its rate.
  ///   - lease: Bounds of the tokens to take ahead, nil to take none.
  ///   - memory: The number of keys of which refusals and leases are remembered.
  ///   - name: The name of a key in the store, different for each key.
  ///   - quota: The quota of a key, the same in all processes.
  /// - Precondition: `memory` is positive.
  public init(
    in store: RedisStore, onFailure failure: StoreFailure, leasing lease: Lease? = nil,
    memory: Int = 4096, name: @escaping @Sendable (Key) -> String,
    quota: @escaping @Sendable (Key) -> Quota
  ) {
    ConfigurationError.require(memory > 0, "memory", memory, must: "be positive")
    limits = SharedLimits(store, onFailure: failure, leasing: lease, memory: memory)
    self.name = name
    self.quota = quota
  }

  /// Makes a limiter with the same quota for each key.
  ///
  /// - Parameters:
  ///   - rate: The rate at which each bucket refills.
  ///   - burst: The tokens that it holds at most, and at first.
  ///   - store: The store of the buckets.
  ///   - failure: The answer while the store cannot be asked.
  ///   - lease: Bounds of the tokens to take ahead, nil to take none.
  ///   - memory: The number of keys of which refusals and leases are remembered.
  ///   - name: The name of a key in the store, different for each key.
  /// - Precondition: `burst` and `memory` are positive, the rate is one for a `Quota`, and the
  ///   burst comes in less than 2^53 units of the rate.
  public convenience init(
    rate: Rate, burst: Int, in store: RedisStore, onFailure failure: StoreFailure,
    leasing lease: Lease? = nil, memory: Int = 4096, name: @escaping @Sendable (Key) -> String
  ) {
    let quota = ConfigurationError.trapping { () throws(ConfigurationError) in
      try Self.quota(rate, burst)
    }
    self.init(in: store, onFailure: failure, leasing: lease, memory: memory, name: name) { _ in
      quota
    }
  }

  /// Makes a limiter with the same quota for each key from values known only at run time.
  ///
  /// - Parameters:
  ///   - rate: The rate at which each bucket refills.
  ///   - burst: The tokens that it holds at most, and at first.
  ///   - store: The store of the buckets.
  ///   - failure: The answer while the store cannot be asked.
  ///   - lease: Bounds of the tokens to take ahead, nil to take none.
  ///   - memory: The number of keys of which refusals and leases are remembered.
  ///   - name: The name of a key in the store, different for each key.
  /// - Throws: `ConfigurationError` if a precondition of the other initialiser does not hold.
  public convenience init(
    validating rate: Rate, burst: Int, in store: RedisStore, onFailure failure: StoreFailure,
    leasing lease: Lease? = nil, memory: Int = 4096, name: @escaping @Sendable (Key) -> String
  ) throws(ConfigurationError) {
    let quota = try Self.quota(rate, burst)
    guard memory > 0 else { throw ConfigurationError("memory", memory, must: "be positive") }
    self.init(in: store, onFailure: failure, leasing: lease, memory: memory, name: name) { _ in
      quota
    }
  }

  private static func quota(_ rate: Rate, _ burst: Int) throws(ConfigurationError) -> Quota {
    let quota = try Quota(validating: rate, burst: burst)
    _ = try BucketTerms(quota)
    return quota
  }

  /// What has been answered so far.
  public var statistics: SharedLimitStatistics { limits.statistics }

  func bucket(_ key: Key) -> SharedLimits.Bucket {
    SharedLimits.Bucket(name: name(key), quota: quota(key))
  }
}
