extension BucketLevel: LimitState {
  package var capacity: Int { scale.isUnlimited ? .max : scale.burst }

  package func earliest(for cost: Int) -> PacingInstant {
    scale.instant(dueAt(cost))
  }

  package func available(at now: PacingInstant) -> Int {
    scale.isUnlimited ? capacity : Int(clamping: balance(at: scale.time(now)))
  }

  package func resetsAt(spending cost: Int, at now: PacingInstant) -> PacingInstant {
    let start = cost == 0 ? fullAt : max(fullAt, scale.time(now))
    return scale.instant(start.adding(scale.units(cost)))
  }

  package mutating func spend(_ cost: Int, at now: PacingInstant, isAwaited: Bool) {
    let now = scale.time(now)
    let due = dueAt(cost)
    let isOnTime = isAwaited && now.adding(-due) < Int128(scale.unitsPerNanosecond)
    spend(scale.units(cost), at: isOnTime ? due : now)
  }

  package func spareTime(within most: Nanoseconds) -> Nanoseconds {
    scale.spareTime(within: most)
  }

  package func replaced(
    by limit: Limit, inheriting inheritance: Inheritance, at now: PacingInstant
  ) -> (any LimitState)? {
    guard case .tokenBucket(let rate, let burst, _) = limit.kind else { return nil }
    var level = self
    _ = level.reconfigure(
      rate: rate, burst: burst, inheriting: inheritance.kind, at: now)
    return level
  }
}
