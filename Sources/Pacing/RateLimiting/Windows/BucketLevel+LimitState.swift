extension BucketLevel: LimitState {
  package var capacity: Int { scale.isUnlimited ? .max : scale.burst }

  package func earliest(for cost: Int) -> PacingInstant {
    scale.instant(dueAt(cost))
  }

  package func available(at now: PacingInstant) -> Int {
    Int(clamping: balance(at: scale.time(now)))
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
}
