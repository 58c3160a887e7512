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
  package enum Kind: Hashable, Sendable {
    case tokenBucket(Rate, burst: Int, initial: Int)
    case fixedWindow(Int, per: Duration, from: WindowStart)
    case slidingWindow(Int, per: Duration)
  }

  package let kind: Kind

  /// The name in decisions and HTTP fields; nil for a description of the limit.
  public private(set) var name: String?

  private init(_ kind: Kind) {
    self.kind = kind
  }

  /// The same limit under a name, for decisions and HTTP fields.
  public func named(_ name: String) -> Limit {
    changing(self) { $0.name = name }
  }

  /// The most that one call can ever spend: the burst, or the count of a window.
  public var capacity: Int {
    switch kind {
    case .tokenBucket(_, let burst, _): burst
    case .fixedWindow(let count, _, _), .slidingWindow(let count, _): count
    }
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
    ConfigurationError.trapping(try tokenBucket(validating: rate, burst: burst, initial: initial))
  }

  /// The token bucket that each key of a ``KeyedRateLimiter`` with this quota has.
  public static func tokenBucket(_ quota: Quota) -> Limit {
    tokenBucket(rate: quota.rate, burst: quota.burst)
  }

  /// As `tokenBucket(rate:burst:initial:)`, but throws ``ConfigurationError`` for invalid values,
  /// such as ones known only at run time.
  public static func tokenBucket(
    validating rate: Rate, burst: Int, initial: Int? = nil
  ) throws(ConfigurationError) -> Limit {
    guard burst > 0 else { throw ConfigurationError("burst", burst, must: "be positive") }
    let initial = initial ?? burst
    guard (0...burst).contains(initial) else {
      throw ConfigurationError("initial", initial, must: "be in 0...\(burst)")
    }
    return Limit(.tokenBucket(rate, burst: burst, initial: initial))
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
    ConfigurationError.trapping(try fixedWindow(validating: count, per: window, from: start))
  }

  /// As `fixedWindow(_:per:from:)`, but throws ``ConfigurationError`` for invalid values, such as
  /// ones known only at run time.
  public static func fixedWindow(
    validating count: Int, per window: Duration, from start: WindowStart = .firstEvent
  ) throws(ConfigurationError) -> Limit {
    try validate(count, window)
    return Limit(.fixedWindow(count, per: window, from: start))
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
    ConfigurationError.trapping(try slidingWindow(validating: count, per: window))
  }

  /// As `slidingWindow(_:per:)`, but throws ``ConfigurationError`` for invalid values, such as ones
  /// known only at run time.
  public static func slidingWindow(
    validating count: Int, per window: Duration
  ) throws(ConfigurationError) -> Limit {
    try validate(count, window)
    return Limit(.slidingWindow(count, per: window))
  }

  private static func validate(_ count: Int, _ window: Duration) throws(ConfigurationError) {
    guard count > 0 else { throw ConfigurationError("count", count, must: "be positive") }
    guard window > .zero else { throw ConfigurationError("window", window, must: "be positive") }
  }
}

extension Limit: CustomStringConvertible {
  /// The name, or else a description: "10 in each 60.0 seconds".
  public var description: String {
    if let name { return name }
    return switch kind {
    case .tokenBucket(let rate, let burst, _): "\(rate), at most \(burst)"
    case .fixedWindow(let count, let window, _): "\(count) in each \(window)"
    case .slidingWindow(let count, let window): "\(count) in any \(window)"
    }
  }
}
