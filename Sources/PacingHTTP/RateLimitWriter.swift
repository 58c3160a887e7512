public import Pacing

/// The fields of a server's limits, whose constant part is made once.
///
/// Keep one next to the limiter: each answer then costs two short strings.
///
/// ```swift
/// let limit = Limit.tokenBucket(rate: .perSecond(5), burst: 10).named("user")
/// let writer = RateLimitWriter(limit)
/// for (name, value) in writer.fields(for: limiter.request()) {
///   response.headers[name] = value
/// }
/// ```
///
/// For a `RateLimiter` of several limits, give it all of them and what `requestEach` answers.
public struct RateLimitWriter: Sendable {
  /// The value of `RateLimit-Policy`.
  public let policy: String

  private let parts: [Part]

  /// What is constant in a limit's item of `RateLimit`.
  private struct Part: Sendable {
    /// The quoted name and the beginning of the first parameter.
    let prefix: String
    /// The time in which one more comes, nil if the limit does not tell.
    let interval: Duration?
  }

  /// Makes the constant part of one limit's fields, or of several.
  ///
  /// - Parameter limits: The limits, in the order of the decisions to be written.
  public init(_ limits: Limit...) {
    self.init(limits)
  }

  /// Makes the constant part of the fields of several limits.
  ///
  /// - Parameter limits: The limits, in the order of the decisions to be written.
  public init(_ limits: [Limit]) {
    let names = limits.fieldNames
    policy = zip(limits, names).map { QuotaPolicy($0, named: $1).text }.joined(separator: ", ")
    parts = zip(limits, names).map {
      Part(prefix: StructuredField.quoted($1) + ";r=", interval: $0.interval)
    }
  }

  /// The fields of an answer: `RateLimit-Policy`, `RateLimit` and, if it is a refusal,
  /// `Retry-After`.
  ///
  /// - Parameter decision: The answer of the limit, of several the first.
  /// - Returns: Names and values.
  public func fields(for decision: Decision) -> [(name: String, value: String)] {
    fields(for: CollectionOfOne(decision))
  }

  /// The fields of an answer of several limits.
  ///
  /// - Parameter decisions: What each limit answered, in their order.
  /// - Returns: Names and values.
  public func fields(
    for decisions: some Collection<Decision>
  ) -> [(name: String, value: String)] {
    var value = ""
    var retryAfter: Duration?
    var isRefused = false
    for (part, decision) in zip(parts, decisions) {
      if !value.isEmpty { value += ", " }
      value += part.prefix
      value += StructuredField.number(decision.remaining)
      value += ";t="
      value += StructuredField.seconds(decision.effectiveWindow(interval: part.interval))
      guard !decision.isAllowed else { continue }
      // Of several waits the longest; of those without an end there is none to write.
      retryAfter = isRefused ? longer(retryAfter, decision.retryAfter) : decision.retryAfter
      isRefused = true
    }
    guard let retryAfter else {
      return [("RateLimit-Policy", policy), ("RateLimit", value)]
    }
    return [
      ("RateLimit-Policy", policy), ("RateLimit", value),
      ("Retry-After", StructuredField.seconds(retryAfter)),
    ]
  }

  private func longer(_ first: Duration?, _ second: Duration?) -> Duration? {
    guard let first, let second else { return nil }
    return max(first, second)
  }
}

extension Decision {
  /// The time in which no more than what remains may be asked.
  ///
  /// A client that obeys waits that long with nothing left, so it is not longer than until the next
  /// token.
  func effectiveWindow(interval: Duration?) -> Duration {
    guard isAllowed else { return retryAfter ?? resetAfter }
    return remaining > 0 ? resetAfter : min(resetAfter, interval ?? resetAfter)
  }
}
