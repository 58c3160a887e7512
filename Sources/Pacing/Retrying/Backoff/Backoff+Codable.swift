/// Backoffs as configuration: times are whole nanoseconds.
extension Backoff: Codable {
  private enum CodingKeys: CodingKey {
    case kind, base, factor, increment, delays, shortest, longest, first, second, whole, count
    case floor, cap, jitter, seed
  }

  private enum Kind: String, Codable {
    case exponential, linear, fibonacci, list, uniform, sum, sequence, limited
  }

  /// Encodes the backoff.
  ///
  /// - Throws: `EncodingError` if a part is `custom(_:)`, for a closure cannot be encoded.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    func write(_ kind: Kind, _ parts: KeyValuePairs<CodingKeys, any Encodable>) throws {
      try container.encode(kind, forKey: .kind)
      for (key, part) in parts { try container.encode(part, forKey: key) }
    }
    switch shape {
    case .exponential(let base, let factor):
      try write(.exponential, [.base: base, .factor: factor])
    case .linear(let base, let increment):
      try write(.linear, [.base: base, .increment: increment])
    case .fibonacci(let base): try write(.fibonacci, [.base: base])
    case .list(let delays): try write(.list, [.delays: delays])
    case .uniform(let range):
      try write(.uniform, [.shortest: range.lowerBound, .longest: range.upperBound])
    case .custom:
      throw EncodingError.invalidValue(
        self, .init(codingPath: encoder.codingPath, debugDescription: "a closure as backoff"))
    case .sum(let first, let second): try write(.sum, [.first: first, .second: second])
    case .sequence(let first, let second):
      try write(.sequence, [.first: first, .second: second])
    case .limited(let whole, let count): try write(.limited, [.whole: whole, .count: count])
    }
    if floor > 0 { try container.encode(floor, forKey: .floor) }
    if cap < .never { try container.encode(cap, forKey: .cap) }
    if jitter != .none { try container.encode(jitter, forKey: .jitter) }
    try container.encodeIfPresent(seed, forKey: .seed)
  }

  /// Decodes a backoff.
  ///
  /// - Throws: `DecodingError`, also for values that no backoff can have.
  public init(from decoder: any Decoder) throws {
    self = try DecodingError.wrapping(at: decoder.codingPath) { try Self.decoded(from: decoder) }
  }

  private static func decoded(from decoder: any Decoder) throws -> Backoff {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    func time(_ key: CodingKeys) throws -> Duration {
      .nanoseconds(try container.decode(Nanoseconds.self, forKey: key))
    }
    func part(_ key: CodingKeys) throws -> Backoff {
      try container.decode(Backoff.self, forKey: key)
    }
    var backoff: Backoff
    switch try container.decode(Kind.self, forKey: .kind) {
    case .exponential:
      let factor = try container.decodeIfPresent(Double.self, forKey: .factor) ?? 2
      backoff = try Backoff(validating: time(.base), factor: factor)
    case .linear: backoff = try Backoff(validatingLinear: time(.base), by: time(.increment))
    case .fibonacci: backoff = try Backoff(validatingFibonacci: time(.base))
    case .list:
      let delays = try container.decode([Nanoseconds].self, forKey: .delays)
      backoff = .list(delays.map(Duration.init(nanoseconds:)))
    case .uniform:
      let (shortest, longest) = try (time(.shortest), time(.longest))
      guard shortest <= longest else {
        throw ConfigurationError("longest", longest, must: "not be less than shortest, \(shortest)")
      }
      backoff = .uniform(in: shortest...longest)
    case .sum: backoff = try part(.first) + part(.second)
    case .sequence: backoff = try part(.first).then(part(.second))
    case .limited:
      backoff = try part(.whole).limited(to: container.decode(Int.self, forKey: .count))
    }
    if container.contains(.floor) { backoff = try backoff.floored(validatingAt: time(.floor)) }
    if container.contains(.cap) { backoff = try backoff.capped(validatingAt: time(.cap)) }
    let jitter = try container.decodeIfPresent(Jitter.self, forKey: .jitter) ?? .none
    let seed = try container.decodeIfPresent(UInt64.self, forKey: .seed)
    return backoff.jittered(jitter, seed: seed)
  }
}

/// Jitter as configuration: an amount is whole nanoseconds.
extension Jitter: Codable {
  private enum CodingKeys: CodingKey {
    case kind, ratio, amount
  }

  /// Encodes the jitter.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    switch kind {
    case .none: try container.encode("none", forKey: .kind)
    case .full: try container.encode("full", forKey: .kind)
    case .equal: try container.encode("equal", forKey: .kind)
    case .decorrelated: try container.encode("decorrelated", forKey: .kind)
    case .proportional(let ratio):
      try container.encode("proportional", forKey: .kind)
      try container.encode(ratio, forKey: .ratio)
    case .additive(let amount):
      try container.encode("additive", forKey: .kind)
      try container.encode(amount, forKey: .amount)
    }
  }

  /// Decodes jitter.
  ///
  /// - Throws: `DecodingError`, also for a ratio outside `0...1`.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    let kind = try container.decode(String.self, forKey: .kind)
    switch kind {
    case "none": self = .none
    case "full": self = .full
    case "equal": self = .equal
    case "decorrelated": self = .decorrelated
    case "proportional":
      self = try DecodingError.wrapping(at: container.codingPath) {
        try Jitter(validatingProportion: container.decode(Double.self, forKey: .ratio))
      }
    case "additive":
      let amount = try container.decode(Nanoseconds.self, forKey: .amount)
      self = .additive(upTo: Duration(nanoseconds: amount))
    default:
      throw DecodingError.dataCorruptedError(
        forKey: .kind, in: container, debugDescription: "unknown kind of jitter \"\(kind)\"")
    }
  }
}
