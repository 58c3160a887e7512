extension RateLimitFields {
  /// Reads the fields of a server's response, ignoring absent and malformed ones.
  ///
  /// `RateLimit-Policy` is read in the form of the current draft and of earlier ones, `100;w=60`;
  /// `RateLimit` in that of the current draft and of the previous one. Without `RateLimit`, the
  /// older fields are read: `RateLimit-…`, `X-RateLimit-…` or `X-Rate-Limit-…`, or those of OpenAI
  /// and Anthropic: `x-ratelimit-remaining-tokens` and `anthropic-ratelimit-tokens-remaining` make
  /// a limit named "tokens".
  ///
  /// An instant, such as a date in `Retry-After` or a large number in `X-RateLimit-Reset`, is
  /// relative to the response's own `Date`, so a wrong client clock does not matter; without a
  /// `Date`, to `date`. Without either it is ignored.
  ///
  /// - Parameters:
  ///   - date: The time of the response, since 1970-01-01 in UTC.
  ///   - field: The value of a field; nil if the response has none. Join the values of repeated
  ///     lines with commas. Names have their documented case; HTTP ignores case.
  public init(at date: Duration? = nil, reading field: (_ name: String) -> String?) {
    self.init()
    let answered = field("Date").flatMap {
      HTTPDate.seconds(ByteScanner(trimming: $0), near: date?.wholeSeconds)
    }
    let now = answered.map { Duration.seconds($0) } ?? date
    let current = field("RateLimit")
    if let limits = current.flatMap(Self.limits) {
      self.limits = limits
    } else if let previous = current.flatMap(Self.pairs) {
      self = previous
    } else {
      readOlder(field, at: now)
    }
    // More detailed than what the other fields state of the limits.
    if let policies = field("RateLimit-Policy").flatMap(Self.policies) { self.policies = policies }
    retryAfter = field("Retry-After").flatMap { text in
      // By its definition a number is one of seconds, however large.
      Self.wait(text, from: now)
        ?? FieldNumber(ByteScanner(trimming: text)).map { .seconds($0.roundedUp) }
    }
  }

  /// The wait before the next request; nil if the response asks for none.
  ///
  /// The value of `Retry-After`; without it, the time until the last exhausted limit resets.
  ///
  /// - Parameter longest: An upper bound, because a server may be wrong or hostile.
  /// - Returns: The wait, at least zero.
  public func pause(atMost longest: Duration = .seconds(86_400)) -> Duration? {
    let reset = limits.filter { $0.remaining <= 0 }.compactMap { $0.resetAfter }.max()
    return (retryAfter ?? reset).map { min(max(.zero, $0), max(.zero, longest)) }
  }

  private static func policies(_ text: String) -> [QuotaPolicy]? {
    try? StructuredFieldParser.list(text).map {
      item throws(Malformed) in try QuotaPolicy(item)
    }
  }

  private static func limits(_ text: String) -> [ServiceLimit]? {
    try? StructuredFieldParser.list(text).map {
      item throws(Malformed) in try ServiceLimit(item)
    }
  }

  /// The previous draft: `limit=100, remaining=50, reset=5`.
  private static func pairs(_ text: String) -> RateLimitFields? {
    guard let members = try? StructuredFieldParser.dictionary(text) else { return nil }
    func count(_ name: String) -> Int64? {
      guard case .integer(let count)? = members[name]?.value, count >= 0 else { return nil }
      return count
    }
    guard let remaining = count("remaining") else { return nil }
    let reset = count("reset").map { Duration.seconds($0) }
    return RateLimitFields(
      policies: count("limit").map { [QuotaPolicy("", quota: Int(clamping: $0))] } ?? [],
      limits: [ServiceLimit("", remaining: Int(clamping: remaining), resetAfter: reset)])
  }

  private mutating func readOlder(_ field: (String) -> String?, at now: Duration?) {
    for prefix in ["RateLimit-", "X-RateLimit-", "X-Rate-Limit-"] {
      let names = FieldNames(
        limit: prefix + "Limit", remaining: prefix + "Remaining", reset: prefix + "Reset")
      readLimit("", names, field, at: now)
      if !limits.isEmpty { return }
    }
    for (name, names) in FieldNames.ofServices { readLimit(name, names, field, at: now) }
  }

  /// Reads one limit from three fields, if the response has them.
  private mutating func readLimit(
    _ name: String, _ names: FieldNames, _ field: (String) -> String?, at now: Duration?
  ) {
    func number(_ name: String) -> Int? {
      field(name).flatMap { FieldNumber(ByteScanner(trimming: $0)).map { Int(clamping: $0.whole) } }
    }
    guard let remaining = number(names.remaining) else { return }
    let reset = field(names.reset).flatMap { Self.wait($0, from: now) }
    limits.append(ServiceLimit(name, remaining: remaining, resetAfter: reset))
    if let quota = number(names.limit) {
      policies.append(QuotaPolicy(name, quota: quota, unit: names.unit))
    }
  }

  /// A wait written as seconds, as a span, as an instant in seconds or milliseconds, or as a date.
  private static func wait(_ text: String, from now: Duration?) -> Duration? {
    let text = ByteScanner(trimming: text)
    let instant: Duration
    if let number = FieldNumber(text)?.roundedUp {
      // A number above thirty years is an instant.
      guard number >= 1_000_000_000 else { return .seconds(number) }
      instant = number < 100_000_000_000 ? .seconds(number) : .milliseconds(number)
    } else if let span = WaitText.span(text) {
      return span
    } else if let seconds = HTTPDate.seconds(text, near: now?.wholeSeconds) {
      instant = .seconds(seconds)
    } else if let time = WaitText.instant(text) {
      instant = time
    } else {
      return nil
    }
    return now.map { max(.zero, instant - min(max(.zero, $0), instant)) }
  }
}

extension Duration {
  /// The whole seconds, clamped to what a date can represent.
  fileprivate var wholeSeconds: Int64 {
    min(max(.zero, self), .seconds(253_402_300_799 as Int64)).components.seconds
  }
}
