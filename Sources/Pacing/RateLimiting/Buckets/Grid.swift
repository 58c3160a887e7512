/// Instants at equal distances, without a beginning or an end.
struct Grid: Hashable, Sendable {
  private let origin: Nanoseconds
  private let period: Nanoseconds

  /// The grid of a bucket that is made at `start`, nil where its tokens come all the time.
  init?(_ refill: Refill, start: PacingInstant) {
    guard let steps = refill.steps else { return nil }
    period = steps.period
    origin = (start + steps.phase).nanoseconds
  }

  /// The last one that is not after `instant`.
  func last(until instant: PacingInstant) -> PacingInstant {
    let rest = rest(instant)
    return PacingInstant(nanoseconds: Nanoseconds(clamping: Int128(instant.nanoseconds) - rest))
  }

  /// The first one that is not before `instant`.
  func first(from instant: PacingInstant) -> PacingInstant {
    let rest = rest(instant)
    guard rest > 0 else { return instant }
    return PacingInstant(
      nanoseconds: Nanoseconds(clamping: Int128(instant.nanoseconds) - rest + Int128(period)))
  }

  /// How long before `instant` the last one was.
  private func rest(_ instant: PacingInstant) -> Int128 {
    let rest = (Int128(instant.nanoseconds) - Int128(origin)) % Int128(period)
    return rest < 0 ? rest + Int128(period) : rest
  }
}
