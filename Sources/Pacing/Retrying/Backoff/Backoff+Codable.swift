/// Backoffs as configuration: times are whole nanoseconds.
extension Backoff: Codable {
  private enum CodingKeys: CodingKey {
    case kind, base, factor, increment, delays, cap, jitter, seed
  }

  private enum Kind: String, Codable {
    case exponential, linear, list
  }

  /// Encodes the backoff.
  ///
  /// - Throws: `EncodingError` if it is `custom(_:)`, for a closure cannot be encoded.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    switch shape {
    case .exponential(let base, let factor):
      try container.encode(Kind.exponential, forKey: .kind)
      try container.encode(base, forKey: .base)
      try container.encode(factor, forKey: .factor)
    case .linear(let base, let increment):
      try container.encode(Kind.linear, forKey: .kind)
      try container.encode(base, forKey: .base)
      try container.encode(increment, forKey: .increment)
    case .list(let delays):
      try container.encode(Kind.list, forKey: .kind)
      try container.encode(delays, forKey: .delays)
    case .custom:
      throw EncodingError.invalidValue(
        self, .init(codingPath: encoder.codingPath, debugDescription: "a closure as backoff"))
    }
    if cap < .never { try container.encode(cap, forKey: .cap) }
    if jitter != .none { try container.encode(jitter, forKey: .jitter) }
    try container.encodeIfPresent(seed, forKey: .seed)
  }

  /// Decodes a backoff.
  ///
  /// - Throws: `DecodingError`, also for values that no backoff can have.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    func time(_ key: CodingKeys) throws -> Duration {
      .nanoseconds(try container.decode(Nanoseconds.self, forKey: key))
    }
    var backoff = try DecodingError.wrapping(at: decoder.codingPath) {
      switch try container.decode(Kind.self, forKey: .kind) {
      case .exponential:
        let factor = try container.decodeIfPresent(Double.self, forKey: .factor) ?? 2
        return try Backoff.checked(exponential: time(.base), factor: factor)
      case .linear:
        return try Backoff.checked(linear: time(.base), by: time(.increment))
      case .list:
        let delays = try container.decode([Nanoseconds].self, forKey: .delays)
        return .list(delays.map(Duration.init(nanoseconds:)))
      }
    }
    if container.contains(.cap) {
      backoff = try DecodingError.wrapping(at: decoder.codingPath) {
        try backoff.checked(cap: time(.cap))
      }
    }
    let jitter = try container.decodeIfPresent(Jitter.self, forKey: .jitter) ?? .none
    let seed = try container.decodeIfPresent(UInt64.self, forKey: .seed)
    self = backoff.jittered(jitter, seed: seed)
  }
}

/// Jitter as configuration.
extension Jitter: Codable {
  private enum CodingKeys: CodingKey {
    case kind, ratio
  }

  /// Encodes the jitter.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(kind, forKey: .kind)
    if kind == .proportional { try container.encode(ratio, forKey: .ratio) }
  }

  /// Decodes jitter.
  ///
  /// - Throws: `DecodingError`, also for a ratio outside `0...1`.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    self.init(kind: try container.decode(Kind.self, forKey: .kind))
    guard kind == .proportional else { return }
    self = try DecodingError.wrapping(at: container.codingPath) {
      try .checked(container.decode(Double.self, forKey: .ratio))
    }
  }
}
