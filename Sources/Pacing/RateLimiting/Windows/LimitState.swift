/// One limit as a pure value: no lock, no clock, and nobody who waits.
///
/// Whoever asks clamps the time, and asks only for costs from 1 to the capacity. A cost that fits
/// at an instant fits at every later one until something is spent, so several limits fit together
/// from the last of their earliest instants on.
package protocol LimitState: Sendable {
  /// The most that one call can ever spend.
  var capacity: Int { get }

  /// The instant from which on `cost` fits if nothing else is spent; it may lie in the past.
  func earliest(for cost: Int) -> PacingInstant

  /// What fits at `now`, rounded down.
  func available(at now: PacingInstant) -> Int

  /// The instant from which on nothing is remembered, if `cost`, zero or what fits, is spent at
  /// `now`; it may lie in the past.
  func resetsAt(spending cost: Int, at now: PacingInstant) -> PacingInstant

  /// Spends a cost that fits at `now`.
  ///
  /// If it was waited for, a fraction of a nanosecond between the instant from which on it fitted
  /// and the clock's is not lost.
  mutating func spend(_ cost: Int, at now: PacingInstant, isAwaited: Bool)

  /// The state of a limit that replaces this one and keeps what was spent, nil if it is of another
  /// kind.
  func replaced(
    by limit: Limit, inheriting inheritance: Inheritance, at now: PacingInstant
  ) -> (any LimitState)?
}

extension LimitState {
  /// What someone who asks for `cost` at `now` can be told; a cost of zero or above the capacity
  /// too.
  func decision(for cost: Int, at now: PacingInstant) -> Decision {
    let earliest = cost == 0 ? now : earliest(for: min(cost, capacity))
    let isAllowed = earliest <= now && cost <= capacity
    let spent = isAllowed ? cost : 0
    return Decision(
      isAllowed: isAllowed, remaining: max(0, available(at: now).adding(-spent)),
      retryAfter: cost > capacity ? nil : earliest.wait(from: now),
      resetAfter: Duration(nanoseconds: max(0, resetsAt(spending: spent, at: now) - now)))
  }
}

extension PacingInstant {
  /// How long until another instant: zero if it is not later, `never` if it never comes.
  func nanoseconds(until other: PacingInstant) -> Nanoseconds {
    other == .distantFuture ? .never : max(0, other - self)
  }

  /// How long until this instant, nil where it never comes.
  func wait(from now: PacingInstant) -> Duration? {
    guard self > now else { return .zero }
    return self == .distantFuture ? nil : Duration(nanoseconds: self - now)
  }
}
