internal import Pacing

/// An instance's share of each quota, used while the store is unavailable.
final class LocalShares: Sendable {
  private struct Share: Hashable {
    let name: String
    let quota: Quota
  }

  private let instances: Int
  private let limiter: KeyedRateLimiter<Share>
  private let clock: any PacingClock

  init(of instances: Int, maximumKeys: Int, clock: any PacingClock) {
    self.instances = instances
    self.clock = clock
    limiter = KeyedRateLimiter(maximumKeys: maximumKeys, clock: clock) { $0.quota }
  }

  func request(_ cost: Int, _ name: String, _ quota: Quota) -> Decision {
    limiter.request(cost, for: share(name, quota)).fromFailurePolicy
  }

  func request(_ cost: Int, for names: [SharedLimits.Bucket]) -> (Decision, index: Int) {
    let shares = names.map { share($0.name, $0.quota) }
    let answer = limiter.request(cost, for: shares)
    return (answer.decision.fromFailurePolicy, shares.firstIndex(of: answer.key) ?? 0)
  }

  func peek(_ cost: Int, _ name: String, _ quota: Quota) -> Decision {
    limiter.peek(cost, for: share(name, quota)).fromFailurePolicy
  }

  func take(upTo count: Int, _ name: String, _ quota: Quota) -> Int {
    limiter.take(upTo: count, for: share(name, quota))
  }

  /// Waits until the share holds the cost.
  func acquire(
    _ cost: Int, within timeout: Duration?, _ name: String, _ quota: Quota
  ) async throws {
    let share = share(name, quota)
    let deadline = timeout.map { clock.now.advanced(by: $0) }
    while true {
      let decision = limiter.request(cost, for: share)
      if decision.isAllowed { return }
      guard let wait = decision.retryAfter else {
        throw AcquireError.exceedsBurst(cost: cost, burst: share.quota.burst)
      }
      let instant = clock.now.advanced(by: wait)
      if let deadline, instant > deadline { throw AcquireError.deadline(neededWait: wait) }
      try await clock.sleep(until: instant)
    }
  }

  /// A share of a quota: at least one token.
  private func share(_ name: String, _ quota: Quota) -> Share {
    Share(
      name: name,
      quota: Quota(rate: quota.rate.divided(by: instances), burst: max(1, quota.burst / instances)))
  }
}

extension Rate {
  /// The rate divided by `count`, or the slowest representable rate if that is faster.
  fileprivate func divided(by count: Int) -> Rate {
    guard self != .unlimited else { return self }
    let period = Duration.nanoseconds(nanoseconds) * count
    let part = try? Rate(validating: Int(tokens), per: period)
    return part ?? .every(.nanoseconds(Int64.max))
  }
}

extension Decision {
  fileprivate var fromFailurePolicy: Decision {
    Decision(
      isAllowed: isAllowed, remaining: remaining, retryAfter: retryAfter, resetAfter: resetAfter,
      refusedBy: refusedBy, source: .failurePolicy)
  }
}
