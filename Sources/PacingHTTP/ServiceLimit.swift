/// The remaining quota of a client: one item of the HTTP field `RateLimit`.
///
/// The current IETF draft (draft-ietf-httpapi-ratelimit-headers-11) defines it.
public struct ServiceLimit: Hashable, Sendable {
  /// The name of its policy; empty if read from a field without names.
  public var name: String

  /// The remaining amount.
  public var remaining: Int

  /// The time until the quota resets; written in whole seconds, rounded up.
  ///
  /// Until then a client may use no more than `remaining`.
  public var resetAfter: Duration?

  /// The partition of the server's capacity, such as a user's.
  public var partitionKey: [UInt8]?

  /// Creates the remaining quota of a policy.
  ///
  /// - Parameters:
  ///   - name: The policy's name; characters that a field cannot hold become underscores.
  ///   - remaining: The remaining amount.
  ///   - resetAfter: The time until the quota resets.
  ///   - partitionKey: The partition of the server's capacity.
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
      try item.name, remaining: Int(clamping: remaining),
      resetAfter: try item.count("t").map { .seconds($0) },
      partitionKey: try item.bytes("pk"))
  }

  var text: String {
    var text = "\(StructuredField.quoted(name));r=\(StructuredField.number(remaining))"
    if let resetAfter { text += ";t=\(StructuredField.seconds(resetAfter))" }
    if let partitionKey { text += ";pk=:\(Base64.encoded(partitionKey)):" }
    return text
  }
}
