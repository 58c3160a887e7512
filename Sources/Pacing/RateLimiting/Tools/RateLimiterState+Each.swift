extension RateLimiterState {
  /// Spends `cost` if all limits allow it, and returns the answer of each.
  ///
  /// While a pause or waiters hold all limits up, each of them refuses, and its wait includes that.
  mutating func requestEach(_ cost: Int, at now: PacingInstant) -> [Decision] {
    // The cost, if granted, is already spent.
    guard !request(cost, at: now).isAllowed else { return limits.decisions(for: 0, at: latest) }
    guard !isClosed else { return names.map { _ in .closed } }
    let ahead = projectionBehindQueue(without: nil)
    let start = max(ahead.instant, ahead.limits.pausedUntil)
    let delay = start.wait(from: latest)
    let isDelayed = delay != .zero
    let answers = ahead.limits.decisions(for: cost, at: start)
    let left = ahead.limits.decisions(for: 0, at: latest)
    return zip(zip(answers, left), names).map { decisions, name in
      let (answer, left) = decisions
      guard isDelayed || !answer.isAllowed else { return left }
      return Decision(
        isAllowed: false, remaining: isDelayed ? 0 : left.remaining,
        retryAfter: delay.flatMap { delay in answer.retryAfter.map { delay + $0 } },
        resetAfter: left.resetAfter, refusedBy: answer.isAllowed ? nil : name)
    }
  }
}
