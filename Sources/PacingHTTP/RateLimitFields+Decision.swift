public import Pacing

extension RateLimitFields {
  /// Describes a limit's decision to the client.
  ///
  /// The policy is the limit; a bucket's window is the time in which it fills from empty. If
  /// nothing remains, the reset is the time until a bucket's next unit, or until a window is empty.
  /// After a refusal it is the time until the same request can be granted, which `Retry-After`
  /// repeats. All times are rounded up to whole seconds.
  ///
  /// A ``RateLimitWriter`` writes the same fields faster.
  ///
  /// - Parameters:
  ///   - decision: The limit's decision.
  ///   - limit: The limit; its name is the policy's, "default" if it has none.
  public init(_ decision: Decision, under limit: Limit) {
    self.init([decision], under: [limit])
  }

  /// As `init(_:under:)`, for the decisions of several limits in the same order, such as those of
  /// `RateLimiter.requestEach(_:)`.
  public init(_ decisions: [Decision], under limits: [Limit]) {
    let names = limits.fieldNames
    self.init(
      policies: zip(limits, names).map { QuotaPolicy($0, named: $1) },
      limits: zip(decisions, zip(limits, names)).map { decision, limit in
        ServiceLimit(
          limit.1, remaining: decision.remaining,
          resetAfter: decision.effectiveWindow(lead: limit.0.lead))
      },
      retryAfter: decisions.longestWait)
  }
}

extension Collection<Decision> {
  /// The longest wait of those that are refused; nil without any, or if one is never allowed.
  var longestWait: Duration? {
    let refusals = filter { !$0.isAllowed }
    let waits = refusals.compactMap { $0.retryAfter }
    return waits.count == refusals.count ? waits.max() : nil
  }
}

extension QuotaPolicy {
  init(_ limit: Limit, named name: String) {
    self.init(name, quota: limit.capacity, window: limit.window)
  }
}
