/// How much of something is allowed: a token bucket, a fixed window or a sliding window, as a
/// value.
///
/// ```swift
/// Limit.tokenBucket(rate: .perSecond(100), burst: 20)
/// Limit.slidingWindow(1000, per: .seconds(3600)).named("hourly")
/// Limit.fixedWindow(10, per: .seconds(60), from: .creation)
/// ```
///
/// A `RateLimiter` keeps to one or several of them.
public struct Limit: Hashable, Sendable {
  package enum Kind: Hashable, Sendable {
    case tokenBucket(Rate, burst: Int, initial: Int)
    case fixedWindow(Int, per: Duration, from: WindowStart)
    case slidingWindow(Int, per: Duration)
  }

  package let kind: Kind

  /// What decisions and HTTP fields call the limit; where it has no name, they describe it.
  public private(set) var name: String?

  private init(_ kind: Kind) {
    self.kind = kind
  }

  /// The same limit under a name.
  ///
  /// - Parameter name: What decisions and HTTP fields call it.
  /// - Returns: The limit with that name.
  public func named(_ name: String) -> Limit {
    var limit = self
    limit.name = name
    return limit
  }

  /// The most that one call can ever spend: the burst, or the number in a window.
  public var capacity: Int {
    switch kind {
    case .tokenBucket(_, let burst, _): burst
    case .fixedWindow(let count, _, _), .slidingWindow(let count, _): count
    }
  }
}

extension Limit {
  /// Tokens that come at a rate and are saved up to a burst, as in a `TokenBucket`.
  ///
  /// It allows at most the burst and what comes, over every interval, and lets callers through
  /// evenly.
  ///
  /// - Parameters:
  ///   - rate: How fast the bucket refills.
  ///   - burst: How many tokens it holds at most.
  ///   - initial: How many tokens it holds at first, nil for as many as it can.
  /// - Returns: The limit.
  /// - Precondition: `burst` is positive, and `initial` is in `0...burst`.
  public static func tokenBucket(rate: Rate, burst: Int, initial: Int? = nil) -> Limit {
    ConfigurationError.trapping { () throws(ConfigurationError) in
      try tokenBucket(validating: rate, burst: burst, initial: initial)
    }
  }

  /// The bucket that each key of a `KeyedRateLimiter` has.
  ///
  /// - Parameter quota: How fast it refills, and how many tokens it holds.
  /// - Returns: The limit.
  public static func tokenBucket(_ quota: Quota) -> Limit {
    tokenBucket(rate: quota.rate, burst: quota.burst)
  }

  /// As `tokenBucket(rate:burst:initial:)`, from settings that are not part of the program.
  ///
  /// - Parameters:
  ///   - rate: How fast the bucket refills.
  ///   - burst: How many tokens it holds at most.
  ///   - initial: How many tokens it holds at first, nil for as many as it can.
  /// - Returns: The limit.
  /// - Throws: `ConfigurationError` where a precondition does not hold.
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

  /// So many in each of the windows that follow one another.
  ///
  /// It is the cheapest to explain, and around the end of a window it allows twice as many. Windows
  /// are half-open.
  ///
  /// - Parameters:
  ///   - count: How many.
  ///   - window: How long a window is.
  ///   - start: Where windows begin.
  /// - Returns: The limit.
  /// - Precondition: `count` and `window` are positive.
  public static func fixedWindow(
    _ count: Int, per window: Duration, from start: WindowStart = .firstEvent
  ) -> Limit {
    ConfigurationError.trapping { () throws(ConfigurationError) in
      try fixedWindow(validating: count, per: window, from: start)
    }
  }

  /// As `fixedWindow(_:per:from:)`, from settings that are not part of the program.
  ///
  /// - Parameters:
  ///   - count: How many.
  ///   - window: How long a window is.
  ///   - start: Where windows begin.
  /// - Returns: The limit.
  /// - Throws: `ConfigurationError` where a precondition does not hold.
  public static func fixedWindow(
    validating count: Int, per window: Duration, from start: WindowStart = .firstEvent
  ) throws(ConfigurationError) -> Limit {
    try validate(count, window)
    return Limit(.fixedWindow(count, per: window, from: start))
  }

  /// So many in every window of a length, wherever it lies.
  ///
  /// It is exact, and remembers each instant at which something was spent: up to `count` of them,
  /// 16 bytes each. An event exactly one window old no longer counts.
  ///
  /// - Parameters:
  ///   - count: How many.
  ///   - window: How long a window is.
  /// - Returns: The limit.
  /// - Precondition: `count` and `window` are positive.
  public static func slidingWindow(_ count: Int, per window: Duration) -> Limit {
    ConfigurationError.trapping { () throws(ConfigurationError) in
      try slidingWindow(validating: count, per: window)
    }
  }

  /// As `slidingWindow(_:per:)`, from settings that are not part of the program.
  ///
  /// - Parameters:
  ///   - count: How many.
  ///   - window: How long a window is.
  /// - Returns: The limit.
  /// - Throws: `ConfigurationError` where a precondition does not hold.
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
  /// Its name, or else what it is: "10 in each 60.0 seconds".
  public var description: String {
    if let name { return name }
    return switch kind {
    case .tokenBucket(let rate, let burst, _): "\(rate), at most \(burst)"
    case .fixedWindow(let count, let window, _): "\(count) in each \(window)"
    case .slidingWindow(let count, let window): "\(count) in any \(window)"
    }
  }
}
