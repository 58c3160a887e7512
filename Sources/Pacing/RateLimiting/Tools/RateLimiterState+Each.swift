extension RateLimiterState {
  /// Spends `cost` if all limits allow it, and returns the answer of each.
  ///
  /// If the cause of a refusal is common to all limits, such as a pause or waiters, each of them
  /// refuses.
  mutating func requestEach(_ cost: Int, at now: PacingInstant) -> [Decision] {
    let whole = request(cost, at: now)
    // The cost, if granted, is already spent.
    let left = limits.decisions(for: 0, at: latest)
    guard !whole.isAllowed else { return left }
    let answers = limits.decisions(for: cost, at: latest)
    let isCommon = answers.allSatisfy(\.isAllowed)
    return zip(zip(answers, left), names).map { decisions, name in
      let (answer, left) = decisions
      guard isCommon || !answer.isAllowed else { return left }
      return Decision(
        isAllowed: false, remaining: isCommon ? 0 : left.remaining,
        retryAfter: isCommon ? whole.retryAfter : answer.retryAfter,
        resetAfter: left.resetAfter, refusedBy: isCommon ? nil : name)
    }
  }
}
