internal import Pacing

/// What a shared limit answers while its store cannot be asked.
public struct StoreFailure: Hashable, Sendable {
  enum Kind: Hashable {
    case allow
    case deny
    case localShare(Int)
  }

  let kind: Kind

  /// Everything passes.
  public static let allow = StoreFailure(kind: .allow)

  /// Nothing passes; `refusedBy` is "store", so that a server answers 503 and not 429.
  public static let deny = StoreFailure(kind: .deny)

  /// Each instance alone keeps to its part of each quota.
  ///
  /// It begins with a full share of at least one token.
  ///
  /// - Parameter instances: How many instances share a quota.
  /// - Returns: The answer.
  /// - Precondition: `instances` is positive.
  public static func localShare(of instances: Int) -> StoreFailure {
    ConfigurationError.require(instances > 0, "of", instances, must: "be positive")
    return StoreFailure(kind: .localShare(instances))
  }
}
