extension RateLimitFields {
  /// Reads what a server answered; what is absent or malformed is left out.
  ///
  /// `RateLimit` is read as the current draft and as the one before it write it, or else the older
  /// fields `RateLimit-…`, `X-RateLimit-…` and `X-Rate-Limit-…`. An instant, such as a date in
  /// `Retry-After` or a large number in `X-RateLimit-Reset`, counts from the answer's own `Date`,
  /// so a clock that is wrong does not matter; without one it counts from `date`, and without
  /// either it is left out.
  ///
  /// - Parameters:
  ///   - date: The time of the answer, since 1970-01-01 in UTC.
  ///   - field: The value of a field, nil where the answer has none. Values of several lines are
  ///     joined by commas. A name is given as the standards write it; case does not matter in HTTP.
  public init(at date: Duration? = nil, reading field: (_ name: String) -> String?) {
    self.init()
    let answered = field("Date").flatMap { HTTPDate.seconds(FieldText.trimmed($0)) }
    let now = answered.map { Duration.seconds($0) } ?? date
    policies = field("RateLimit-Policy").flatMap(Self.policies) ?? []
    if let text = field("RateLimit"), let limits = Self.limits(text) ?? Self.pairs(text) {
      self.limits = limits
    } else {
      readOlder(field, at: now)
    }
    retryAfter = field("Retry-After").flatMap { Self.wait($0, from: now) }
  }

  /// How long to wait before the next request, nil where nothing asks for it.
  ///
  /// That is what `Retry-After` says; without it, the time until the last of the limits that have
  /// nothing left.
  ///
  /// - Parameter longest: The longest wait to believe in: a server may be wrong, or hostile.
  /// - Returns: The wait, at least zero.
  public func pause(atMost longest: Duration = .seconds(86_400)) -> Duration? {
    let reset = limits.filter { $0.remaining <= 0 }.compactMap(\.resetAfter).max()
    return (retryAfter ?? reset).map { min(max(.zero, $0), max(.zero, longest)) }
  }

  private static func policies(_ text: String) -> [QuotaPolicy]? {
    try? StructuredFieldParser.list(text).map {
      item throws(StructuredField.Malformed) in try QuotaPolicy(item)
    }
  }

  private static func limits(_ text: String) -> [ServiceLimit]? {
    try? StructuredFieldParser.list(text).map {
      item throws(StructuredField.Malformed) in try ServiceLimit(item)
    }
  }

  /// The draft before: `limit=100, remaining=50, reset=5`.
  private static func pairs(_ text: String) -> [ServiceLimit]? {
    guard let members = try? StructuredFieldParser.dictionary(text),
      case .integer(let remaining)? = members["remaining"]?.value, remaining >= 0
    else { return nil }
    guard case .integer(let reset)? = members["reset"]?.value, reset >= 0 else {
      return [ServiceLimit("", remaining: remaining)]
    }
    return [ServiceLimit("", remaining: remaining, resetAfter: .seconds(reset))]
  }

  private mutating func readOlder(_ field: (String) -> String?, at now: Duration?) {
    for prefix in ["RateLimit-", "X-RateLimit-", "X-Rate-Limit-"] {
      guard let remaining = field(prefix + "Remaining").flatMap(FieldText.init)?.number else {
        continue
      }
      let reset = field(prefix + "Reset").flatMap { Self.wait($0, from: now) }
      limits = [ServiceLimit("", remaining: remaining, resetAfter: reset)]
      if policies.isEmpty, let quota = field(prefix + "Limit").flatMap(FieldText.init)?.number {
        policies = [QuotaPolicy("", quota: quota)]
      }
      return
    }
  }

  /// A wait that is written as seconds, as an instant in seconds or milliseconds, or as a date.
  private static func wait(_ text: String, from now: Duration?) -> Duration? {
    let instant: Duration
    if let number = FieldText(text)?.roundedUp {
      // A wait of thirty years is none: it is an instant, from 1999 on.
      guard number >= 1_000_000_000 else { return .seconds(number) }
      instant = number < 100_000_000_000 ? .seconds(number) : .milliseconds(number)
    } else if let seconds = HTTPDate.seconds(FieldText.trimmed(text)) {
      instant = .seconds(seconds)
    } else {
      return nil
    }
    return now.map { max(.zero, instant - min(max(.zero, $0), instant)) }
  }
}
