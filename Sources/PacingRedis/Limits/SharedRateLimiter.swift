public import Pacing

/// A rate limiter with one token bucket per key, shared by all processes: a `KeyedRateLimiter` in
/// Redis or Valkey.
///
/// ```swift
/// let limiter = SharedRateLimiter<String>(
///   rate: .perSecond(100), burst: 200, in: store, onFailure: .localShare(of: 4)
/// ) { "limit:\($0)" }
/// let decision = await limiter.request(for: user)
/// ```
///
/// A `KeyedRateLimiter` is cheaper and never fails: use it if there is a single process, or if each
/// process may have a share of the limit.
///
/// ## Timing
/// Counting is exact, in microseconds of the server's clock. For one key, over any interval, all
/// processes together are granted at most the burst plus what refills at the rate. A loss of the
/// server's data adds a burst, and an outage adds what `onFailure` allows.
///
/// ## Calls
/// A process has at most one call in flight for requests of a key; requests that arrive meanwhile
/// share the next one. A refusal is remembered, and answered without a call, until the store would
/// grant. With a ``Lease``, requests for busy keys are answered from tokens taken ahead.
///
/// ## Concurrency
/// All methods are thread-safe. A request waits at most for the store's timeout, even in a
/// cancelled task. A request that the failure policy answers may have been charged.
public final class SharedRateLimiter<Key: Hashable & Sendable>: KeyedLimitingTool {
  let limits: SharedLimits
  /// Whether a decision from a lease needs no name.
  let findsLeasesByKey: Bool
  let quota: @Sendable (Key) -> Quota
  private let name: @Sendable (Key) -> String

  /// Creates a limiter with a separate quota for each key.
  ///
  /// - Parameters:
  ///   - store: The store of the buckets.
  ///   - failure: The answer while the store is unavailable, and for a quota that the store cannot
  ///     count: one whose burst takes more than 2^53 units of its rate.
  ///   - lease: The bounds of a lease; nil for no leases.
  ///   - memory: The number of keys whose refusals and leases are remembered.
  ///   - name: The name of a key in the store, unique to the key, and always the same.
  ///   - quota: The quota of a key, the same in all processes.
  /// - Precondition: `memory` is positive.
  public init(
    in store: RedisStore, onFailure failure: StoreFailure, leasing lease: Lease? = nil,
    memory: Int = 4096, name: @escaping @Sendable (Key) -> String,
    quota: @escaping @Sendable (Key) -> Quota
  ) {
    ConfigurationError.require(memory > 0, "memory", memory, must: "be positive")
    limits = SharedLimits(store, onFailure: failure, leasing: lease, memory: memory)
    findsLeasesByKey = lease != nil && KeyBox<Key>.hasOneName
    self.name = name
    self.quota = quota
  }

  /// As `init(in:onFailure:leasing:memory:name:quota:)`, with the same quota for each key: a
  /// bucket holds `burst` tokens, starts full and refills at `rate`.
  ///
  /// - Precondition: `burst` and `memory` are positive, the rate is valid for a `Quota`, and the
  ///   burst takes at most 2^53 units of the rate.
  public convenience init(
    rate: Rate, burst: Int, in store: RedisStore, onFailure failure: StoreFailure,
    leasing lease: Lease? = nil, memory: Int = 4096, name: @escaping @Sendable (Key) -> String
  ) {
    let quota = ConfigurationError.trapping(try Self.quota(rate, burst))
    self.init(in: store, onFailure: failure, leasing: lease, memory: memory, name: name) { _ in
      quota
    }
  }

  /// Checks the preconditions of values from outside.
  package convenience init(
    checking rate: Rate, burst: Int, in store: RedisStore, onFailure failure: StoreFailure,
    leasing lease: Lease? = nil, memory: Int = 4096, name: @escaping @Sendable (Key) -> String
  ) throws(ConfigurationError) {
    let quota = try Self.quota(rate, burst)
    guard memory > 0 else { throw ConfigurationError("memory", memory, must: "be positive") }
    self.init(in: store, onFailure: failure, leasing: lease, memory: memory, name: name) { _ in
      quota
    }
  }

  private static func quota(_ rate: Rate, _ burst: Int) throws(ConfigurationError) -> Quota {
    let quota = try Quota(checking: rate, burst: burst)
    _ = try BucketTerms(quota)
    return quota
  }

  /// Counts of the answers so far.
  public var statistics: SharedLimitStatistics { limits.statistics }

  func bucket(_ key: Key) -> SharedLimits.Bucket { bucket(key, quota(key)) }

  func bucket(_ key: Key, _ quota: Quota) -> SharedLimits.Bucket {
    SharedLimits.Bucket(name: BucketName(name(key)), quota: quota)
  }
}
