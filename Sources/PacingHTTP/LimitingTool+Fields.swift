public import Pacing

extension LimitingTool {
  /// Lowers the limits to what a server says remains of each; never raises one.
  ///
  /// ```swift
  /// let fields = RateLimitFields { response.headers[$0] }
  /// model.correct(by: fields)
  /// ```
  ///
  /// A limit of the server corrects the parts of its name, such as "tokens"; one that the limiter
  /// lacks is ignored. If the server has one limit only, under whatever name, it corrects the parts
  /// without a name. First settle the call's charge: a correction counts what the server has
  /// counted, and what is given back afterwards raises it. For `Retry-After`, `pause(for:)` with
  /// ``RateLimitFields/pause(atMost:)``.
  public func correct(by fields: RateLimitFields) {
    for limit in fields.limits {
      let (rest, reset) = (limit.remaining, limit.resetAfter)
      let isNamed = correct(Limit.Name(limit.name), remaining: rest, resetAfter: reset)
      if !isNamed, fields.limits.count == 1 { correct(remaining: rest, resetAfter: reset) }
    }
  }
}
