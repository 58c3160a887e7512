/// A limit that a server advertises: one item of the HTTP field `RateLimit-Policy`.
///
/// The current IETF draft (draft-ietf-httpapi-ratelimit-headers-11) defines it.
public struct QuotaPolicy: Hashable, Sendable {
  /// The policy's name; empty if read from a field without names.
  public var name: String

  /// The amount allowed per window.
  public var quota: Int

  /// The length of the window; written in whole seconds, rounded up.
  public var window: Duration?

  /// The unit of the quota; nil for requests.
  ///
  /// The draft also defines "content-bytes" and "concurrent-requests".
  public var unit: String?

  /// The partition of the server's capacity, such as a user's.
  public var partitionKey: [UInt8]?

  /// Creates a policy.
  ///
  /// - Parameters:
  ///   - name: The policy's name; characters that a field cannot hold become underscores.
  ///   - quota: The amount allowed per window.
  ///   - window: The length of the window.
  ///   - unit: The unit of the quota; nil for requests.
  ///   - partitionKey: The partition of the server's capacity.
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
    let window = try item.count("w")
    guard window != 0 else { throw Malformed() }
    guard let quota = try item.count("q") else {
      // Earlier drafts have no names: `100;w=60`.
      guard case .integer(let quota) = item.value, quota >= 0, let window else {
        throw Malformed()
      }
      self.init("", quota: Int(clamping: quota), window: .seconds(window))
      return
    }
    self.init(
      try item.name, quota: Int(clamping: quota), window: window.map { .seconds($0) },
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
  /// The name of a policy; the draft requires a string, but some servers write a token.
  var name: String {
    get throws(Malformed) {
      switch value {
      case .string(let name), .token(let name): return name
      default: throw Malformed()
      }
    }
  }
}
