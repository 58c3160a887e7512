/// A token bucket, a fixed window or a sliding window, as a value.
///
/// ```swift
/// Limit.tokenBucket(rate: .perSecond(100), burst: 20)
/// Limit.slidingWindow(1000, per: .seconds(3600)).named("hourly")
/// Limit.fixedWindow(10, per: .seconds(60), from: .creation)
/// ```
///
/// A ``RateLimiter`` enforces one or several of them.
public struct Limit: Hashable, Sendable {
  /// The name of a limit, for costs, decisions and HTTP fields.
  ///
  /// A string literal is a name; extend the type with those that your service uses.
  ///
  /// ```swift
  /// extension Limit.Name { static let images: Limit.Name = "images" }
  /// ```
  public struct Name: Hashable, Sendable, ExpressibleByStringLiteral, CustomStringConvertible {
    /// The name as text.
    public let description: String

    /// Creates a name from text.
    public init(_ text: String) { description = text }

    /// Creates a name from a literal.
    public init(stringLiteral text: String) { description = text }

    /// A limit of the number of requests.
    public static let requests: Name = "requests"

    /// A limit of the number of tokens, such as those of a language model.
    public static let tokens: Name = "tokens"
  }

  /// Where the windows of a fixed-window limit begin.
  public enum WindowStart: String, Hashable, Sendable, Codable {
    /// Each window begins with the first event after the previous one has ended.
    case firstEvent = "first event"

    /// Windows follow one another from the limit's creation.
    case creation
  }

  package enum Kind: Hashable, Sendable {
    case tokenBucket(Rate, burst: Int, initial: Int)
    case fixedWindow(Int, per: Duration, from: WindowStart)
    case slidingWindow(Int, per: Duration)
  }

  package let kind: Kind

  /// The name in costs, decisions and HTTP fields; nil for a description of the limit.
  public private(set) var name: Name?

  /// The same limit under a name.
  public func named(_ name: Name) -> Limit {
    changing(self) { $0.name = name }
  }

  /// The most that one call can ever spend: the burst, or the count of a window.
  public var capacity: Int {
    switch kind {
    case .tokenBucket(_, let burst, _): burst
    case .fixedWindow(let count, _, _), .slidingWindow(let count, _): count
    }
  }

  /// Checks the values, for text and trapping initialisers alike.
  private init(_ kind: Kind) throws(ConfigurationError) {
    switch kind {
    case .tokenBucket(_, let burst, let initial):
      guard burst > 0 else { throw ConfigurationError("burst", burst, must: "be positive") }
      guard (0...burst).contains(initial) else {
        throw ConfigurationError("initial", initial, must: "be in 0...\(burst)")
      }
    case .fixedWindow(let count, let window, _), .slidingWindow(let count, let window):
      guard count > 0 else { throw ConfigurationError("count", count, must: "be positive") }
      guard window > .zero else { throw ConfigurationError("window", window, must: "be positive") }
    }
    self.kind = kind
  }
}

extension Limit {
  /// A limit with tokens that accrue at a rate, up to a burst, as in a ``TokenBucket``.
  ///
  /// Over every interval it allows at most the burst plus the tokens that accrue in it, and it
  /// spaces callers evenly.
  ///
  /// - Parameters:
  ///   - rate: The refill rate.
  ///   - burst: The most tokens that the bucket holds.
  ///   - initial: The tokens that it holds at first, nil for a full bucket.
  /// - Returns: The limit.
  /// - Precondition: `burst` is positive, and `initial` is in `0...burst`.
  public static func tokenBucket(rate: Rate, burst: Int, initial: Int? = nil) -> Limit {
    ConfigurationError.trapping(
      try Limit(.tokenBucket(rate, burst: burst, initial: initial ?? burst)))
  }

  /// The token bucket that each key of a ``KeyedRateLimiter`` with this quota has.
  public static func tokenBucket(_ quota: Quota) -> Limit {
    tokenBucket(rate: quota.rate, burst: quota.burst)
  }

  /// A limit of `count` in each of consecutive, half-open windows.
  ///
  /// It is the easiest to explain, but allows up to twice as many around the end of a window.
  ///
  /// - Parameters:
  ///   - count: The most that each window allows.
  ///   - window: The length of a window.
  ///   - start: Where windows begin.
  /// - Returns: The limit.
  /// - Precondition: `count` and `window` are positive.
  public static func fixedWindow(
    _ count: Int, per window: Duration, from start: WindowStart = .firstEvent
  ) -> Limit {
    ConfigurationError.trapping(try Limit(.fixedWindow(count, per: window, from: start)))
  }

  /// A limit of `count` in every interval of one window's length.
  ///
  /// It is exact, and logs the instant of each event: up to `count` instants of 16 bytes. An event
  /// exactly one window old no longer counts.
  ///
  /// - Parameters:
  ///   - count: The most that every window allows.
  ///   - window: The length of a window.
  /// - Returns: The limit.
  /// - Precondition: `count` and `window` are positive.
  public static func slidingWindow(_ count: Int, per window: Duration) -> Limit {
    ConfigurationError.trapping(try Limit(.slidingWindow(count, per: window)))
  }
}

extension Limit: CustomStringConvertible {
  /// The name, or else a description: "10 in each 60.0 seconds".
  public var description: String {
    if let name { return name.description }
    return switch kind {
    case .tokenBucket(let rate, let burst, _): "\(rate), at most \(burst)"
    case .fixedWindow(let count, let window, _): "\(count) in each \(window)"
    case .slidingWindow(let count, let window): "\(count) in any \(window)"
    }
  }
}

extension Limit: Codable {
  private enum CodingKeys: CodingKey {
    case kind, name, rate, burst, initial, count, window, start
  }

  /// Reads a limit: `{"kind": "token bucket", "rate": "90/min", "burst": 10}`, or
  /// `{"kind": "sliding window", "count": 1000, "window": "1 hour"}`.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    let kind = try container.decode(String.self, forKey: .kind)
    func count() throws -> Int { try container.decode(Int.self, forKey: .count) }
    func window() throws -> Duration {
      let text = try container.decode(String.self, forKey: .window)
      guard let window = TimeUnitName.span(text[...]) else {
        throw DecodingError.dataCorruptedError(
          forKey: .window, in: container, debugDescription: "\"\(text)\" is not a duration")
      }
      return window
    }
    let settings: Kind
    switch kind {
    case "token bucket":
      let burst = try container.decode(Int.self, forKey: .burst)
      settings = .tokenBucket(
        try container.decode(Rate.self, forKey: .rate), burst: burst,
        initial: try container.decodeIfPresent(Int.self, forKey: .initial) ?? burst)
    case "fixed window":
      let start = try container.decodeIfPresent(WindowStart.self, forKey: .start)
      settings = .fixedWindow(try count(), per: try window(), from: start ?? .firstEvent)
    case "sliding window":
      settings = .slidingWindow(try count(), per: try window())
    default:
      throw DecodingError.dataCorruptedError(
        forKey: .kind, in: container, debugDescription: "unknown kind of limit \"\(kind)\"")
    }
    var limit = try DecodingError.wrapping(at: container.codingPath) { try Limit(settings) }
    limit.name = try container.decodeIfPresent(String.self, forKey: .name).map { Name($0) }
    self = limit
  }

  /// Writes the format that `init(from:)` reads.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    func writeWindow(_ kind: String, _ count: Int, _ window: Duration) throws {
      try container.encode(kind, forKey: .kind)
      try container.encode(count, forKey: .count)
      try container.encode(TimeUnitName.text(Nanoseconds(roundingUp: window)), forKey: .window)
    }
    try container.encodeIfPresent(name?.description, forKey: .name)
    switch kind {
    case .tokenBucket(let rate, let burst, let initial):
      try container.encode("token bucket", forKey: .kind)
      try container.encode(rate, forKey: .rate)
      try container.encode(burst, forKey: .burst)
      if initial != burst { try container.encode(initial, forKey: .initial) }
    case .fixedWindow(let count, let window, let start):
      try writeWindow("fixed window", count, window)
      if start == .creation { try container.encode(start, forKey: .start) }
    case .slidingWindow(let count, let window):
      try writeWindow("sliding window", count, window)
    }
  }
}
