/// The HTTP fields that describe rate limits, to write and to read.
///
/// They are `RateLimit`, `RateLimit-Policy` and `Retry-After`, and the older `X-RateLimit-…`.
///
/// A server describes the limit's decision:
///
/// ```swift
/// let decision = limiter.request()
/// for (name, value) in RateLimitFields(decision, under: limit).fields {
///   response.headers[name] = value
/// }
/// ```
///
/// A client turns the response into a pause:
///
/// ```swift
/// let answer = RateLimitFields { response.headers[$0] }
/// if let pause = answer.pause() { limiter.pause(for: pause) }
/// ```
///
/// Fields are plain strings; no HTTP library is needed. They follow the current IETF draft
/// (draft-ietf-httpapi-ratelimit-headers-11) and RFC 9110.
public struct RateLimitFields: Hashable, Sendable {
  /// The server's limits: `RateLimit-Policy`.
  public var policies: [QuotaPolicy]

  /// The remaining quotas: `RateLimit`.
  public var limits: [ServiceLimit]

  /// The wait before the next request: `Retry-After`.
  public var retryAfter: Duration?

  /// Creates fields from their parts.
  ///
  /// - Parameters:
  ///   - policies: The server's limits.
  ///   - limits: The remaining quotas.
  ///   - retryAfter: The wait before the next request.
  public init(
    policies: [QuotaPolicy] = [], limits: [ServiceLimit] = [], retryAfter: Duration? = nil
  ) {
    self.policies = policies
    self.limits = limits
    self.retryAfter = retryAfter
  }

  /// The current fields, for the parts that are present.
  public var fields: [(name: String, value: String)] {
    var fields = [(name: String, value: String)]()
    if !policies.isEmpty {
      fields.append(("RateLimit-Policy", policies.map { $0.text }.joined(separator: ", ")))
    }
    if !limits.isEmpty {
      fields.append(("RateLimit", limits.map { $0.text }.joined(separator: ", ")))
    }
    return fields + retryAfterFields
  }

  /// The older fields: `Retry-After`, and `X-RateLimit-Limit`, `-Remaining` and `-Reset` for the
  /// limit with the least remaining.
  ///
  /// The reset is in seconds from now, as most clients expect.
  public var olderFields: [(name: String, value: String)] {
    var fields = [(name: String, value: String)]()
    let tightest = limits.min { $0.remaining < $1.remaining }
    let policy =
      tightest.map { limit in policies.first { $0.name == limit.name } } ?? policies.first
    if let policy {
      fields.append(("X-RateLimit-Limit", StructuredField.number(policy.quota)))
    }
    if let tightest {
      fields.append(("X-RateLimit-Remaining", StructuredField.number(tightest.remaining)))
      if let resetAfter = tightest.resetAfter {
        fields.append(("X-RateLimit-Reset", StructuredField.seconds(resetAfter)))
      }
    }
    return fields + retryAfterFields
  }

  private var retryAfterFields: [(name: String, value: String)] {
    retryAfter.map { [("Retry-After", StructuredField.seconds($0))] } ?? []
  }
}
