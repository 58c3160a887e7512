/// A limit as a server advertises it to its clients: one item of the HTTP field `RateLimit-Policy`.
///
/// The current draft of the IETF (draft-ietf-httpapi-ratelimit-headers-11) defines it.
public struct QuotaPolicy: Hashable, Sendable {
  /// The policy's name; empty where it was read from a field that has none.
  public var name: String

  /// How much is allowed in the window.
  public var quota: Int

  /// The time in which that much is allowed; it is written in whole seconds, rounded up.
  public var window: Duration?

  /// What is counted, nil for requests.
  ///
  /// The draft knows "content-bytes" and "concurrent-requests" too.
  public var unit: String?

  /// Which part of the server's capacity is meant, such as a user's.
  public var partitionKey: [UInt8]?

  /// Makes a policy.
  ///
  /// - Parameters:
  ///   - name: The policy's name. What HTTP cannot say in a name is written as an underscore.
  ///   - quota: How much is allowed in the window.
  ///   - window: The time in which that much is allowed.
  ///   - unit: What is counted, nil for requests.
  ///   - partitionKey: Which part of the server's capacity is meant.
  public init(
    _ name: String, quota: Int, window: Duration? = nil, unit: String? = nil,
    partitionKey: [UInt8]? = nil
  ) {
    self.name = name
    self.quota = quota
    self.window = window
    self.unit = unit
    self.partitionKey = partitionKey
  }
}

extension QuotaPolicy {
  init(_ item: StructuredField.Item) throws(Malformed) {
    guard let quota = try item.count("q") else { throw Malformed() }
    let window = try item.count("w")
    guard window != 0 else { throw Malformed() }
    self.init(
      try item.name, quota: quota, window: window.map { .seconds($0) },
      unit: try item.string("qu"), partitionKey: try item.bytes("pk"))
  }

  var text: String {
    var text = "\(StructuredField.quoted(name));q=\(StructuredField.number(quota))"
    if let unit { text += ";qu=\(StructuredField.quoted(unit))" }
    if let window { text += ";w=\(StructuredField.seconds(max(.seconds(1), window)))" }
    if let partitionKey { text += ";pk=:\(Base64.encoded(partitionKey)):" }
    return text
  }
}

extension StructuredField.Item {
  /// What a policy is called; the draft asks for a string, some servers write a token.
  var name: String {
    get throws(Malformed) {
      switch value {
      case .string(let name), .token(let name): return name
      default: throw Malformed()
      }
    }
  }
}
