internal import Pacing

/// The answer of a shared limit while its store is unavailable.
public struct StoreFailure: Hashable, Sendable {
  enum Kind: Hashable {
    case allow
    case deny
    case localShare(Int)
  }

  let kind: Kind

  /// Grants every request.
  public static let allow = StoreFailure(kind: .allow)

  /// Refuses every request; `refusedBy` is "store", so that a server answers 503, not 429.
  public static let deny = StoreFailure(kind: .deny)

  /// Limits each instance to its share of each quota.
  ///
  /// A share starts full and has at least one token.
  ///
  /// - Parameter instances: The number of instances that share a quota.
  /// - Returns: The policy.
  /// - Precondition: `instances` is positive.
  public static func localShare(of instances: Int) -> StoreFailure {
    ConfigurationError.require(instances > 0, "of", instances, must: "be positive")
    return StoreFailure(kind: .localShare(instances))
  }
}
