public import Pacing

/// The timeout of a ``RedisStore``, and when its circuit breaker opens.
public struct StorePolicy: Hashable, Sendable {
  /// How long a decision waits for its call.
  public let timeout: Duration

  /// The number of consecutive failures that open the breaker.
  public let failureCount: Int

  /// How long an open breaker waits before it admits one call.
  public let pause: Duration

  /// The maximum number of pending calls of a part, including those whose callers no longer wait.
  public let callLimit: Int

  /// The number of parts that keys are divided into, each with a separate breaker.
  ///
  /// A part is a range of hash slots. With one part, a dead shard of a cluster makes the store
  /// unavailable for all keys; with at least as many parts as shards, only for its own.
  public let parts: Int

  /// The policy for a nearby store: a timeout of 50 ms, three failures, a pause of 500 ms.
  public static let standard = StorePolicy()

  /// Creates a policy.
  ///
  /// - Parameters:
  ///   - timeout: How long a decision waits for its call.
  ///   - failureCount: The number of consecutive failures that open the breaker.
  ///   - pause: How long an open breaker waits before it admits one call.
  ///   - callLimit: The maximum number of pending calls of a part.
  ///   - parts: The number of parts that keys are divided into, each with a separate breaker.
  /// - Precondition: All are positive, and `parts` is at most 16,384.
  public init(
    timeout: Duration = .milliseconds(50), failureCount: Int = 3,
    pause: Duration = .milliseconds(500), callLimit: Int = 1000, parts: Int = 1
  ) {
    self = ConfigurationError.trapping(
      try StorePolicy(
        validatingTimeout: timeout, failureCount: failureCount, pause: pause, callLimit: callLimit,
        parts: parts))
  }

  /// As `init(timeout:failureCount:pause:callLimit:parts:)`, but throws `ConfigurationError` if a
  /// precondition does not hold.
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
