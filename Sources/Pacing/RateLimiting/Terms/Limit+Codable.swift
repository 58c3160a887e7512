extension Limit: Codable {
  private enum CodingKeys: CodingKey {
    case kind
    case name
    case rate
    case burst
    case initial
    case count
    case window
    case start
  }

  /// Reads a limit: `{"kind": "token bucket", "rate": "90/min", "burst": 10}`, or
  /// `{"kind": "sliding window", "count": 1000, "window": "1 hour"}`.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    let kind = try container.decode(String.self, forKey: .kind)
    func window() throws -> Duration {
      let text = try container.decode(String.self, forKey: .window)
      guard let window = TimeUnitName.span(text[...]) else {
        throw DecodingError.dataCorruptedError(
          forKey: .window, in: container, debugDescription: "\"\(text)\" is not a duration")
      }
      return window
    }
    func start() throws -> WindowStart {
      switch try container.decodeIfPresent(String.self, forKey: .start) {
      case nil, "first event": return .firstEvent
      case "creation": return .creation
      case let text?:
        throw DecodingError.dataCorruptedError(
          forKey: .start, in: container, debugDescription: "unknown start of a window \"\(text)\"")
      }
    }
    let limit: Limit = try DecodingError.wrapping(at: container.codingPath) {
      switch kind {
      case "token bucket":
        try .tokenBucket(
          validating: container.decode(Rate.self, forKey: .rate),
          burst: container.decode(Int.self, forKey: .burst),
          initial: container.decodeIfPresent(Int.self, forKey: .initial))
      case "fixed window":
        try .fixedWindow(
          validating: container.decode(Int.self, forKey: .count), per: window(), from: start())
      case "sliding window":
        try .slidingWindow(
          validating: container.decode(Int.self, forKey: .count), per: window())
      default:
        throw DecodingError.dataCorruptedError(
          forKey: .kind, in: container, debugDescription: "unknown kind of limit \"\(kind)\"")
      }
    }
    self = try container.decodeIfPresent(String.self, forKey: .name).map(limit.named) ?? limit
  }

  /// Writes the format that `init(from:)` reads.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    func writeWindow(_ kind: String, _ count: Int, _ window: Duration) throws {
      try container.encode(kind, forKey: .kind)
      try container.encode(count, forKey: .count)
      try container.encode(TimeUnitName.text(Nanoseconds(roundingUp: window)), forKey: .window)
    }
    try container.encodeIfPresent(name, forKey: .name)
    switch kind {
    case .tokenBucket(let rate, let burst, let initial):
      try container.encode("token bucket", forKey: .kind)
      try container.encode(rate, forKey: .rate)
      try container.encode(burst, forKey: .burst)
      if initial != burst { try container.encode(initial, forKey: .initial) }
    case .fixedWindow(let count, let window, let start):
      try writeWindow("fixed window", count, window)
      if start == .creation { try container.encode("creation", forKey: .start) }
    case .slidingWindow(let count, let window):
      try writeWindow("sliding window", count, window)
    }
  }
}
