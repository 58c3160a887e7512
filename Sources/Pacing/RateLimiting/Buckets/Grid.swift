/// An infinite grid of equidistant instants.
struct Grid: Hashable, Sendable {
  private let origin: Nanoseconds
  let period: Nanoseconds

  /// A grid with an instant of it.
  init(period: Nanoseconds, origin: PacingInstant) {
    self.period = period
    self.origin = origin.nanoseconds
  }

  /// The grid of a bucket created at `start`, nil if its tokens arrive continuously.
  init?(_ refill: Refill, start: PacingInstant) {
    guard let steps = refill.steps else { return nil }
    self.init(period: steps.period, origin: start + steps.phase)
  }

  /// The last grid instant at or before `instant`.
  func last(until instant: PacingInstant) -> PacingInstant {
    let rest = rest(instant)
    return PacingInstant(nanoseconds: Nanoseconds(clamping: Int128(instant.nanoseconds) - rest))
  }

  /// The first grid instant at or after `instant`.
  func first(from instant: PacingInstant) -> PacingInstant {
    let rest = rest(instant)
    guard rest > 0 else { return instant }
    return PacingInstant(
      nanoseconds: Nanoseconds(clamping: Int128(instant.nanoseconds) - rest + Int128(period)))
  }

  /// The time from the last grid instant to `instant`.
  private func rest(_ instant: PacingInstant) -> Int128 {
    (Int128(instant.nanoseconds) - Int128(origin)).remainder(dividingBy: Int128(period))
  }
}
