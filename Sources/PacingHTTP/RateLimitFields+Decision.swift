public import Pacing

extension RateLimitFields {
  /// Describes a limit's decision to the client that asked.
  ///
  /// The policy is the limit: for a bucket, its burst in the time that an empty one takes to fill.
  /// A client with nothing left is told when something comes again, and a refused one, in
  /// `Retry-After` too, when the same request can be granted. All times are rounded up to seconds.
  ///
  /// A `RateLimitWriter` writes the same fields faster.
  ///
  /// - Parameters:
  ///   - decision: The limit's answer.
  ///   - limit: The limit; its name is the policy's, "default" if it has none.
  public init(_ decision: Decision, under limit: Limit) {
    self.init([decision], under: [limit])
  }

  /// Describes the decisions of several limits, such as those of `RateLimiter.requestEach(_:)`.
  ///
  /// - Parameters:
  ///   - decisions: What each limit answered.
  ///   - limits: The limits, in the same order.
  public init(_ decisions: [Decision], under limits: [Limit]) {
    let names = limits.fieldNames
    let refusals = decisions.filter { !$0.isAllowed }
    let waits = refusals.compactMap(\.retryAfter)
    self.init(
      policies: zip(limits, names).map { QuotaPolicy($0, named: $1) },
      limits: zip(decisions, zip(limits, names)).map { decision, limit in
        ServiceLimit(
          limit.1, remaining: decision.remaining,
          resetAfter: decision.effectiveWindow(interval: limit.0.interval))
      },
      // One wait without an end is an end to all of them.
      retryAfter: waits.count == refusals.count ? waits.max() : nil)
  }
}

extension QuotaPolicy {
  init(_ limit: Limit, named name: String) {
    self.init(name, quota: limit.capacity, window: limit.window)
  }
}
