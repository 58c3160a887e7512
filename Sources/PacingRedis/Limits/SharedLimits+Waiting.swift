internal import Pacing

extension SharedLimits {
  func acquire(_ cost: Int, within timeout: Duration?, for bucket: Bucket) async throws {
    try Task.checkCancellation()
    let begun = store.service.now
    let end = DeadlineInForce.current(on: store.service)?.deadline
    let timeouts = [timeout.map(Nanoseconds.init(wait:)), end.map { $0 - 1 - begun }]
    let timeout = timeouts.compactMap { $0 }.min().map(Duration.nanoseconds)
    guard cost > 0 else { return note(true, .store) }
    guard let terms = terms(of: bucket) else {
      return try await fallbackAcquire(cost, within: timeout, bucket, .unreadable)
    }
    guard !terms.isUnlimited else { return note(true, .store) }
    guard cost <= terms.burst else {
      note(false, .store)
      throw AcquireError.exceedsBurst(cost: cost, burst: terms.burst)
    }
    let leased = state.withLock { state in
      state.memory.takeLeased(exactly: cost, bucket.name, terms, at: begun)
    }
    guard !leased else { return note(true, .lease) }
    let longest = (BucketTerms.largest - terms.capacity) / terms.speed
    // A place is counted from the answer: one that is reached only after the timeout would be lost.
    let answerTime = store.answerTime
    let wait = timeout.map { min(longest, ($0 - answerTime).wholeMicroseconds) } ?? longest
    let result = await ask(Inquiry(bucket.name.text, terms, cost: cost, wait: wait))
    let waited = begun.duration(to: store.service.now)
    switch result {
    case .success(let reply) where reply.granted > 0:
      let rest = terms.time(reply.debts[0] - terms.capacity)
      if let timeout, rest > .zero, waited + rest > timeout {
        note(false, .store)
        throw AcquireError.deadline(neededWait: waited + rest)
      }
      note(true, .store)
      if rest > .zero { try await store.clock.sleep(for: rest) }
    case .success(let reply):
      note(false, .store)
      let rest = terms.wait(for: cost, debt: reply.debts[0])
      throw AcquireError.deadline(neededWait: max(waited, answerTime) + rest)
    case .failure(let fault):
      try await fallbackAcquire(cost, within: timeout.map { $0 - waited }, bucket, fault)
    }
  }
}

extension Duration {
  /// The duration rounded down, at least zero.
  fileprivate var wholeMicroseconds: Int64 {
    max(0, Nanoseconds(roundingDown: self) / 1000)
  }
}
