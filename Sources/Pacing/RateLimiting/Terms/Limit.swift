/// A token bucket, a fixed window or a sliding window, as a value.
///
/// ```swift
/// Limit.tokenBucket(rate: .perSecond(100), burst: 20)
/// Limit.slidingWindow(1000, per: .seconds(3600)).named("hourly")
/// Limit.fixedWindow(10, per: .seconds(60), fromCreation: true)
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

    /// The table of keys, if it refuses because it is full.
    public static let table: Name = "table"
  }

  package enum Kind: Hashable, Sendable {
    case tokenBucket(Rate, burst: Int, initial: Int)
    case fixedWindow(Int, per: Duration, fromCreation: Bool)
    case slidingWindow(Int, per: Duration)
  }

  package let kind: Kind

  /// The name in costs, decisions and HTTP fields; nil for a description of the limit.
  public private(set) var name: Name?

  /// The same limit under a name.
  public func named(_ name: Name) -> Limit { changing(self) { $0.name = name } }

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

  /// A limit with tokens that accrue at a rate, up to a burst, as in a ``TokenBucket``.
  ///
  /// Over every interval it allows at most the burst plus the tokens that accrue in it, and it
  /// spaces callers evenly. It holds `initial` tokens at first, nil for a full bucket.
  ///
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
  /// It is the easiest to explain, but allows up to twice as many around the end of a window. Each
  /// window begins with the first event after the previous one; or they follow one another from the
  /// limit's creation.
  ///
  /// - Precondition: `count` and `window` are positive.
  public static func fixedWindow(
    _ count: Int, per window: Duration, fromCreation: Bool = false
  ) -> Limit {
    ConfigurationError.trapping(
      try Limit(.fixedWindow(count, per: window, fromCreation: fromCreation)))
  }

  /// A limit of `count` in every interval of one window's length.
  ///
  /// It is exact, and logs the instant of each event: up to `count` instants of 16 bytes.
  ///
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
  private struct Fields: Codable {
    var kind: String
    var name: String?
    var rate: Rate?
    var burst: Int?
    var initial: Int?
    var count: Int?
    var window: String?
    var start: Start?

    enum Start: String, Codable {
      case firstEvent = "first event"
      case creation
    }
  }

  /// Reads a limit: `{"kind": "token bucket", "rate": "90/min", "burst": 10}`, or
  /// `{"kind": "sliding window", "count": 1000, "window": "1 hour"}`.
  public init(from decoder: any Decoder) throws {
    let fields = try Fields(from: decoder)
    self = try DecodingError.wrapping(at: decoder.codingPath) {
      let window = try fields.window.map { text in
        guard let window = TimeText.parse(text[...]) else {
          throw ConfigurationError("window", "\"\(text)\"", must: "be a duration")
        }
        return window
      }
      return switch (fields.kind, fields.rate, fields.burst, fields.count, window) {
      case ("token bucket", let rate?, let burst?, _, _):
        try Limit(.tokenBucket(rate, burst: burst, initial: fields.initial ?? burst))
      case ("fixed window", _, _, let count?, let window?):
        try Limit(.fixedWindow(count, per: window, fromCreation: fields.start == .creation))
      case ("sliding window", _, _, let count?, let window?):
        try Limit(.slidingWindow(count, per: window))
      default:
        throw ConfigurationError(
          "limit", "\"\(fields.kind)\"",
          must: "be a token bucket with a rate and a burst, or a fixed window "
            + "or sliding window with a count and a duration")
      }
    }
    name = fields.name.map { Name($0) }
  }

  /// Writes the format that `init(from:)` reads.
  public func encode(to encoder: any Encoder) throws {
    func text(_ window: Duration) -> String { TimeText.span(Nanoseconds(roundingUp: window)) }
    let name = name?.description
    let fields =
      switch kind {
      case .tokenBucket(let rate, let burst, let initial):
        Fields(
          kind: "token bucket", name: name, rate: rate, burst: burst,
          initial: initial == burst ? nil : initial)
      case .fixedWindow(let count, let window, let fromCreation):
        Fields(
          kind: "fixed window", name: name, count: count, window: text(window),
          start: fromCreation ? .creation : nil)
      case .slidingWindow(let count, let window):
        Fields(kind: "sliding window", name: name, count: count, window: text(window))
      }
    try fields.encode(to: encoder)
  }
}
