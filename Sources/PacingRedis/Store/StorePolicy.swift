public import Pacing

/// How long a `RedisStore` is waited for, and when it is left alone.
public struct StorePolicy: Hashable, Sendable {
  /// How long a decision waits for its call.
  public let timeout: Duration

  /// How many failures in a row open the breaker.
  public let failureCount: Int

  /// How long an open breaker waits before it lets one call through.
  public let pause: Duration

  /// How many calls may be on their way, those with them whose callers have left.
  public let callLimit: Int

  /// Into how many parts the keys are divided, each with a breaker of its own.
  ///
  /// A part is a range of hash slots. With one part a dead shard of a cluster makes the store
  /// unavailable for all keys; with as many as there are shards, or more, for its own.
  public let parts: Int

  /// The policy of a store that is near: 50 ms, three failures, half a second.
  public static let standard = StorePolicy()

  /// Makes a policy.
  ///
  /// - Parameters:
  ///   - timeout: How long a decision waits for its call.
  ///   - failureCount: How many failures in a row open the breaker.
  ///   - pause: How long an open breaker waits before it lets one call through.
  ///   - callLimit: How many calls may be on their way.
  ///   - parts: Into how many parts the keys are divided, each with a breaker of its own.
  /// - Precondition: All are positive, and `parts` is at most 16,384.
  public init(
    timeout: Duration = .milliseconds(50), failureCount: Int = 3,
    pause: Duration = .milliseconds(500), callLimit: Int = 1000, parts: Int = 1
  ) {
    self = ConfigurationError.trapping { () throws(ConfigurationError) in
      try StorePolicy(
        validatingTimeout: timeout, failureCount: failureCount, pause: pause, callLimit: callLimit,
        parts: parts)
    }
  }

  /// Makes a policy from values known only at run time.
  ///
  /// - Parameters:
  ///   - timeout: How long a decision waits for its call.
  ///   - failureCount: How many failures in a row open the breaker.
  ///   - pause: How long an open breaker waits before it lets one call through.
  ///   - callLimit: How many calls may be on their way.
  ///   - parts: Into how many parts the keys are divided, each with a breaker of its own.
  /// - Throws: `ConfigurationError` if a value is not positive, or `parts` is above 16,384.
  public init(
    validatingTimeout timeout: Duration, failureCount: Int = 3,
    pause: Duration = .milliseconds(500), callLimit: Int = 1000, parts: Int = 1
  ) throws(ConfigurationError) {
    for (name, time) in [("timeout", timeout), ("pause", pause)] where time <= .zero {
      throw ConfigurationError(name, time, must: "be positive")
    }
    for (name, count) in [
      ("failureCount", failureCount), ("callLimit", callLimit), ("parts", parts),
    ] where count <= 0 {
      throw ConfigurationError(name, count, must: "be positive")
    }
    guard parts <= HashSlot.count else {
      throw ConfigurationError("parts", parts, must: "be at most \(HashSlot.count)")
    }
    self.timeout = timeout
    self.failureCount = failureCount
    self.pause = pause
    self.callLimit = callLimit
    self.parts = parts
  }
}
