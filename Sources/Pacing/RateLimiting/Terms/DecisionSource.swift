/// Where a decision comes from.
///
/// New sources may be added: a `switch` over them needs a `default`.
public struct DecisionSource: Hashable, Sendable, CustomStringConvertible {
  /// The source's name, for a log.
  public let description: String

  /// A limiter of this process.
  public static let limiter = DecisionSource(description: "limiter")

  /// A store that several processes share.
  public static let store = DecisionSource(description: "store")

  /// Tokens that were taken from the store ahead of the request.
  public static let lease = DecisionSource(description: "lease")

  /// A refusal of the store that still holds.
  public static let memory = DecisionSource(description: "memory")

  /// The policy for a store that cannot be asked.
  public static let failurePolicy = DecisionSource(description: "failure policy")
}
