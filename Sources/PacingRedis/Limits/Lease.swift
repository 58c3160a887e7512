public import Pacing

/// Tokens taken ahead for busy keys: at most `count`, to spend within `time`.
///
/// A lease answers without a call. Unspent tokens are lost when it expires, so a bucket that runs
/// dry is short of the tokens in the last leases of all processes. Rarely used keys lease nothing.
public struct Lease: Hashable, Sendable {
  /// The maximum number of tokens in a lease.
  public let count: Int

  /// The time after which unspent tokens are lost.
  public let time: Duration

  /// Creates the bounds of a lease.
  ///
  /// - Parameters:
  ///   - count: The maximum number of tokens in a lease.
  ///   - time: The time after which unspent tokens are lost.
  /// - Precondition: Both are positive.
  public init(atMost count: Int, for time: Duration) {
    self = ConfigurationError.trapping(try Lease(validatingAtMost: count, for: time))
  }

  /// As `init(atMost:for:)`, but throws `ConfigurationError` if a value is not positive.
  public init(validatingAtMost count: Int, for time: Duration) throws(ConfigurationError) {
    guard count > 0 else { throw ConfigurationError("atMost", count, must: "be positive") }
    guard time > .zero else { throw ConfigurationError("for", time, must: "be positive") }
    self.count = count
    self.time = time
  }
}
