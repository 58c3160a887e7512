/// The origin of a decision.
///
/// New sources may be added: a `switch` over them needs a `default`.
public struct DecisionSource: Hashable, Sendable, CustomStringConvertible {
  /// The source's name, for a log.
  public let description: String

  /// A limiter in this process.
  public static let limiter = DecisionSource(description: "limiter")

  /// A store shared by several processes.
  public static let store = DecisionSource(description: "store")

  /// Tokens leased from the store ahead of the request.
  public static let lease = DecisionSource(description: "lease")

  /// A refusal of the store that is still in force.
  public static let memory = DecisionSource(description: "memory")

  /// The failure policy, which decides when the store is unreachable.
  public static let failurePolicy = DecisionSource(description: "failure policy")
}
