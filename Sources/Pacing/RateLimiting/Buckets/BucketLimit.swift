/// How full a token bucket is: the instant at which it will be full, in the units of its scale.
///
/// A cost moves that instant later; it fits if that leaves it no further away than a whole bucket
/// takes to fill.
package struct BucketLimit: LimitState {
  let scale: BucketScale
  var fullAt: Int128

  init(scale: BucketScale, fullAt: Int128) {
    self.scale = scale
    self.fullAt = fullAt
  }

  package init(rate: Rate, burst: Int, initial: Int, at now: PacingInstant) {
    scale = BucketScale(rate: rate, burst: burst)
    fullAt = scale.time(now) + scale.units(burst - initial)
  }

  package var capacity: Int { scale.isUnlimited ? .max : scale.burst }

  package func earliest(for cost: Int) -> PacingInstant {
    scale.instant(dueAt(cost))
  }

  package func available(at now: PacingInstant) -> Int {
    let debt = max(0, fullAt.adding(-scale.time(now)))
    return Int(clamping: scale.tokens(scale.capacity.adding(-debt)))
  }

  package func resetsAt(spending cost: Int, at now: PacingInstant) -> PacingInstant {
    let start = cost == 0 ? fullAt : max(fullAt, scale.time(now))
    return scale.instant(start.adding(scale.units(cost)))
  }

  package mutating func spend(_ cost: Int, at now: PacingInstant, isAwaited: Bool) {
    let now = scale.time(now)
    let isOnTime = isAwaited && now.adding(-dueAt(cost)) < Int128(scale.unitsPerNanosecond)
    fullAt = (isOnTime ? fullAt : max(fullAt, now)).adding(scale.units(cost))
  }

  private func dueAt(_ cost: Int) -> Int128 {
    fullAt.adding(scale.units(cost) - scale.capacity)
  }
}
