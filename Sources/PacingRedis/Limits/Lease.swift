public import Pacing

/// Tokens taken ahead for keys that are asked for often: up to a number, to be spent within a time.
///
/// A lease answers without a call. What is not spent in time is lost, so where a bucket runs dry,
/// what the last leases of all processes hold is missing. Keys that are rarely asked for lease
/// nothing.
public struct Lease: Hashable, Sendable {
  /// The most tokens of one lease.
  public let count: Int

  /// The time in which they are spent, or lost.
  public let time: Duration

  /// Makes a lease's bounds.
  ///
  /// - Parameters:
  ///   - count: The most tokens of one lease.
  ///   - time: The time in which they are spent, or lost.
  /// - Precondition: Both are positive.
  public init(atMost count: Int, for time: Duration) {
    self = ConfigurationError.trapping { () throws(ConfigurationError) in
      try Lease(validatingAtMost: count, for: time)
    }
  }

  /// Makes a lease's bounds from values known only at run time.
  ///
  /// - Parameters:
  ///   - count: The most tokens of one lease.
  ///   - time: The time in which they are spent, or lost.
  /// - Throws: `ConfigurationError` if one is not positive.
  public init(validatingAtMost count: Int, for time: Duration) throws(ConfigurationError) {
    guard count > 0 else { throw ConfigurationError("atMost", count, must: "be positive") }
    guard time > .zero else { throw ConfigurationError("for", time, must: "be positive") }
    self.count = count
    self.time = time
  }
}
