internal import Pacing

/// An instance's share of each quota, used while the store is unavailable.
final class LocalShares: Sendable {
  /// A key's share: the same one under each quota, so that a change keeps when it is full.
  private struct Share: Hashable {
    let name: BucketName
    let quota: Quota

    static func == (one: Share, other: Share) -> Bool { one.name == other.name }

    func hash(into hasher: inout Hasher) { hasher.combine(name) }
  }

  private let instances: Int
  private let limiter: KeyedRateLimiter<Share>

  init(of instances: Int, maximumKeys: Int, clock: any Clock<Duration>) {
    self.instances = instances
    limiter = KeyedRateLimiter(maximumKeys: maximumKeys, clock: clock) { $0.quota }
  }

  func request(_ cost: Int, _ name: BucketName, _ quota: Quota) -> Decision {
    limiter.request(cost, for: share(name, quota)).fromFailurePolicy
  }

  func request(_ cost: Int, for names: [SharedLimits.Bucket]) -> (Decision, index: Int) {
    let shares = names.map { share($0.name, $0.quota) }
    let answer = limiter.request(cost, for: shares)
    return (answer.decision.fromFailurePolicy, shares.firstIndex(of: answer.key) ?? 0)
  }

  func peek(_ cost: Int, _ name: BucketName, _ quota: Quota) -> Decision {
    limiter.peek(cost, for: share(name, quota)).fromFailurePolicy
  }

  func take(upTo count: Int, _ name: BucketName, _ quota: Quota) -> Int {
    limiter.take(upTo: count, for: share(name, quota))
  }

  /// Waits until the share holds the cost.
  func acquire(
    _ cost: Int, within timeout: Duration?, _ name: BucketName, _ quota: Quota
  ) async throws {
    try await limiter.acquire(cost, for: share(name, quota), within: timeout)
  }

  /// A share of a quota: at least one token.
  private func share(_ name: BucketName, _ quota: Quota) -> Share {
    // The slowest rate that there is, if the share would be slower.
    let rate = quota.rate.divided(by: instances) ?? .every(.nanoseconds(Int64.max))
    return Share(name: name, quota: Quota(rate: rate, burst: max(1, quota.burst / instances)))
  }
}

extension Rate {
  /// An equal share of the rate, nil if the reduced fraction does not fit in 64 bits.
  fileprivate func divided(by count: Int) -> Rate? {
    guard self != .unlimited, self != .none else { return self }
    let divisor = greatestCommonDivisor(Int128(tokens), Int128(count))
    let factor = Nanoseconds(Int128(count) / divisor)
    let (product, overflow) = nanoseconds.multipliedReportingOverflow(by: factor)
    return overflow ? nil : Rate(tokens: tokens / Int64(divisor), nanoseconds: product)
  }
}

extension Decision {
  fileprivate var fromFailurePolicy: Decision {
    Decision(
      isAllowed: isAllowed, remaining: remaining, retryAfter: retryAfter, resetAfter: resetAfter,
      refusedBy: refusedBy, source: .failurePolicy)
  }
}
