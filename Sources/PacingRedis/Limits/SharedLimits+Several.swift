internal import Pacing

extension SharedLimits {
  /// Decides for several buckets; `index` is that of the bucket to report.
  func request(_ cost: Int, for buckets: [Bucket]) async -> (Decision, index: Int) {
    var places = [BucketName: Int]()
    for (index, bucket) in buckets.enumerated() where places[bucket.name] == nil {
      places[bucket.name] = index
    }
    let indices = buckets.indices.filter { places[buckets[$0].name] == $0 }
    var asked = [(index: Int, bucket: Inquiry.Bucket)]()
    for index in indices {
      guard let terms = terms(of: buckets[index]) else {
        return noted(fallbackRequest(cost, buckets, indices))
      }
      if let decision = plain(cost, buckets[index], terms) {
        if !decision.isAllowed { return noted((decision, index)) }
        continue
      }
      let name = buckets[index].name.text
      asked.append((index, Inquiry.Bucket(name: name, terms: terms, cost: terms.units(cost))))
    }
    guard !asked.isEmpty else {
      return noted((.passing(buckets[0].quota.burst, source: .store), 0))
    }
    if let refusal = remembered(cost, asked) { return noted(refusal) }
    switch await ask(Inquiry(asked.map { $0.bucket }, count: cost > 0 ? 1 : 0)) {
    case .success(let reply): return noted(verdict(cost, asked, reply))
    case .failure: return noted(fallbackRequest(cost, buckets, indices))
    }
  }

  private func remembered(
    _ cost: Int, _ asked: [(index: Int, bucket: Inquiry.Bucket)]
  ) -> (Decision, index: Int)? {
    guard cost > 0 else { return nil }
    let now = store.service.now
    let refusals = state.withLock { state in
      asked.map { state.memory.refusal(cost, BucketName($0.bucket.name), $0.bucket.terms, at: now) }
    }
    let found = zip(refusals, asked).compactMap { refusal, asked in
      refusal.map { ($0, index: asked.index) }
    }
    return found.max { ($0.0.retryAfter ?? .zero) < ($1.0.retryAfter ?? .zero) }
  }

  private func verdict(
    _ cost: Int, _ asked: [(index: Int, bucket: Inquiry.Bucket)], _ reply: Inquiry.Reply
  ) -> (Decision, index: Int) {
    let isAllowed = cost == 0 || reply.granted > 0
    var verdict: (Decision, index: Int)?
    for ((index, bucket), debt) in zip(asked, reply.debts) {
      let terms = bucket.terms
      // If another bucket refuses, this one is not charged and would allow the cost.
      let fits = isAllowed || terms.tokens(debt: debt) >= Int64(cost)
      let own = terms.decision(cost, isAllowed: fits, debt: debt, source: .store)
      if verdict.map({ own.isStricter(than: $0.0) }) ?? true { verdict = (own, index) }
    }
    return verdict!
  }
}
