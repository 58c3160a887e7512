/// What a client may still ask of a server: one item of the HTTP field `RateLimit`.
///
/// The current draft of the IETF (draft-ietf-httpapi-ratelimit-headers-11) defines it.
public struct ServiceLimit: Hashable, Sendable {
  /// The name of the policy that it belongs to; empty where it was read from a field that has none.
  public var name: String

  /// How much is left.
  public var remaining: Int

  /// The time in which no more than that may be asked; it is written in whole seconds, rounded up.
  public var resetAfter: Duration?

  /// Which part of the server's capacity is meant, such as a user's.
  public var partitionKey: [UInt8]?

  /// Makes what is left under a policy.
  ///
  /// - Parameters:
  ///   - name: The policy's name. What HTTP cannot say in a name is written as an underscore.
  ///   - remaining: How much is left.
  ///   - resetAfter: The time in which no more than that may be asked.
  ///   - partitionKey: Which part of the server's capacity is meant.
  public init(
    _ name: String, remaining: Int, resetAfter: Duration? = nil, partitionKey: [UInt8]? = nil
  ) {
    self.name = name
    self.remaining = remaining
    self.resetAfter = resetAfter
    self.partitionKey = partitionKey
  }
}

extension ServiceLimit {
  init(_ item: StructuredField.Item) throws(Malformed) {
    guard let remaining = try item.count("r") else { throw Malformed() }
    self.init(
      try item.name, remaining: remaining, resetAfter: try item.count("t").map { .seconds($0) },
      partitionKey: try item.bytes("pk"))
  }

  var text: String {
    var text = "\(StructuredField.quoted(name));r=\(StructuredField.number(remaining))"
    if let resetAfter { text += ";t=\(StructuredField.seconds(resetAfter))" }
    if let partitionKey { text += ";pk=:\(Base64.encoded(partitionKey)):" }
    return text
  }
}
