/// The state of one limit as a pure value: no lock, no clock, no waiters.
///
/// The caller clamps the time and passes only costs from 1 to the capacity. A cost that fits at an
/// instant fits at every later one until something is spent, so a cost fits several limits from the
/// latest of their earliest instants on.
package protocol LimitState: Sendable {
  /// The most that one call can ever spend.
  var capacity: Int { get }

  /// The instant from which `cost` fits if nothing else is spent; it may be in the past.
  func earliest(for cost: Int) -> PacingInstant

  /// The most that fits at `now`, rounded down.
  func available(at now: PacingInstant) -> Int

  /// The instant from which nothing is remembered if `cost`, zero or a cost that fits, is spent at
  /// `now`; it may be in the past.
  func resetsAt(spending cost: Int, at now: PacingInstant) -> PacingInstant

  /// Spends a cost that fits at `now`.
  ///
  /// If a waiter spends it, the fraction of a nanosecond between the instant from which it fits and
  /// the clock's reading is not lost.
  mutating func spend(_ cost: Int, at now: PacingInstant, isAwaited: Bool)

  /// How much later than it fits a waiter's cost may be spent without a loss, `most` at most.
  func spareTime(within most: Nanoseconds) -> Nanoseconds

  /// A copy to try spends in.
  var projected: any LimitState { get }

  /// What `rewind` needs to return to a projection as it is.
  var stage: any LimitState { get }

  /// Takes back the spends tried since a stage.
  mutating func rewind(to stage: any LimitState)

  /// The state of a limit that replaces this one and inherits what was spent, nil if it is of
  /// another kind.
  func replaced(
    by limit: Limit, inheriting inheritance: Inheritance, at now: PacingInstant
  ) -> (any LimitState)?
}

extension LimitState {
  package func spareTime(within most: Nanoseconds) -> Nanoseconds { 0 }

  package var projected: any LimitState { self }

  package var stage: any LimitState { self }

  package mutating func rewind(to stage: any LimitState) {
    if let stage = stage as? Self { self = stage }
  }

  /// The answer to a request for `cost` at `now`; the cost may be zero or above the capacity.
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
  /// The time until another instant: zero if it is not later, `never` if it is the distant future.
  func nanoseconds(until other: PacingInstant) -> Nanoseconds {
    other == .distantFuture ? .never : max(0, other - self)
  }
}
