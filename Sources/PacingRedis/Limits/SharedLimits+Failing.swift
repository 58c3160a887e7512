internal import Pacing

/// Answers while the store is unavailable.
extension SharedLimits {
  func fallbackRequest(_ cost: Int, _ bucket: Bucket) -> Decision {
    shares?.request(cost, bucket.name, bucket.quota) ?? answer(cost, bucket)
  }

  func fallbackPeek(_ cost: Int, _ bucket: Bucket) -> Decision {
    shares?.peek(cost, bucket.name, bucket.quota) ?? answer(cost, bucket)
  }

  func fallbackRequest(_ cost: Int, _ buckets: [Bucket], _ indices: [Int]) -> (Decision, index: Int)
  {
    guard let shares else { return (answer(cost, buckets[indices[0]]), indices[0]) }
    let (decision, place) = shares.request(cost, for: indices.map { buckets[$0] })
    return (decision, indices[place])
  }

  func fallbackTake(_ count: Int, _ bucket: Bucket) -> Int {
    switch failure.kind {
    case .allow: min(count, bucket.quota.burst)
    case .deny: 0
    case .localShare: shares?.take(upTo: count, bucket.name, bucket.quota) ?? 0
    }
  }

  func fallbackAcquire(
    _ cost: Int, within timeout: Duration?, _ bucket: Bucket, _ fault: StoreFault
  ) async throws {
    switch failure.kind {
    case .allow:
      note(true, .failurePolicy)
    case .deny:
      note(false, .failurePolicy)
      throw StoreError(reason: fault.reason)
    case .localShare:
      do {
        try await shares?.acquire(cost, within: timeout, bucket.name, bucket.quota)
        note(true, .failurePolicy)
      } catch {
        note(false, .failurePolicy)
        throw error
      }
    }
  }

  /// The answer of a policy without state.
  private func answer(_ cost: Int, _ bucket: Bucket) -> Decision {
    if failure == .allow || cost == 0 {
      return .passing(max(0, bucket.quota.burst - cost), source: .failurePolicy)
    }
    return Decision(
      isAllowed: false, remaining: 0, retryAfter: store.policy.pause, resetAfter: .zero,
      refusedBy: "store", source: .failurePolicy)
  }
}

extension Decision {
  /// A grant without a limit.
  static func passing(_ remaining: Int, source: Decision.Source) -> Decision {
    Decision(
      isAllowed: true, remaining: remaining, retryAfter: .zero, resetAfter: .zero, source: source)
  }
}

extension Result {
  var isSuccess: Bool {
    if case .success = self { true } else { false }
  }
}
