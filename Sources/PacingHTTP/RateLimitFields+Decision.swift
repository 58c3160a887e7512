public import Pacing

extension RateLimitFields {
  /// What a decision tells the client who asked.
  ///
  /// The policy is the limit: for a bucket, its burst in the time that an empty one takes to fill.
  /// A client that has nothing left is told when there is something again, and one that was
  /// refused, in `Retry-After` too, when the same may be asked again. All times are rounded up to
  /// seconds.
  ///
  /// - Parameters:
  ///   - decision: What the limit answered.
  ///   - limit: The limit; its name becomes the policy's, its description where it has none.
  public init(_ decision: Decision, under limit: Limit) {
    let name = limit.description
    self.init(
      policies: [QuotaPolicy(name, quota: limit.capacity, window: limit.window)],
      limits: [
        ServiceLimit(
          name, remaining: decision.remaining, resetAfter: Self.effectiveWindow(decision, limit))
      ],
      retryAfter: decision.isAllowed ? nil : decision.retryAfter)
  }

  /// The time in which no more than what remains may be asked.
  private static func effectiveWindow(_ decision: Decision, _ limit: Limit) -> Duration {
    guard decision.isAllowed else { return decision.retryAfter ?? decision.resetAfter }
    // A client who obeys waits that long with nothing left: no longer than until the next token.
    return decision.remaining > 0
      ? decision.resetAfter : min(decision.resetAfter, limit.interval ?? decision.resetAfter)
  }
}

extension Limit {
  /// The time in which the capacity comes, nil where it comes in no time or never.
  fileprivate var window: Duration? {
    switch kind {
    case .tokenBucket(let rate, let burst, _): rate.time(tokens: burst)
    case .fixedWindow(_, let window, _), .slidingWindow(_, let window): window
    }
  }

  /// The time in which one more comes, nil where it says nothing about the next one.
  fileprivate var interval: Duration? {
    switch kind {
    case .tokenBucket(let rate, _, _): rate.time(tokens: 1)
    case .fixedWindow, .slidingWindow: nil
    }
  }
}

extension Rate {
  fileprivate func time(tokens count: Int) -> Duration? {
    guard self != .unlimited, self != .none else { return nil }
    let units = Int128(count) * Int128(nanoseconds)
    let (time, rest) = units.quotientAndRemainder(dividingBy: Int128(tokens))
    return Duration(nanoseconds: Nanoseconds(clamping: time + (rest > 0 ? 1 : 0)))
  }
}
