/// A token bucket as a pure value: no lock, no clock, no closure.
///
/// What is stored is the instant at which the bucket will be full, in the units of `BucketScale`. A
/// cost moves it later; a cost is allowed if that leaves it no further away than a whole bucket takes
/// to fill. Time is clamped: an instant before one seen already counts as that one.
///
/// Waiters are in `BucketState+Waiting.swift`. The queries assume that everyone whose tokens have
/// come was granted them first; the shell sees to it.
package struct BucketState<Payload> {
  let scale: BucketScale
  var fullAt: Int128
  var latest: PacingInstant
  var waiters = WaiterQueue<Payload>()

  /// Makes a bucket that holds `initial` tokens at `now`.
  ///
  /// - Precondition: `burst` is positive, and `initial` is in `0...burst`.
  package init(rate: Rate, burst: Int, initial: Int? = nil, at now: PacingInstant) {
    let initial = initial ?? burst
    ConfigurationError.require(burst > 0, "burst", burst, must: "be positive")
    ConfigurationError.require(
      (0...burst).contains(initial), "initial", initial, must: "be in 0...\(burst)")
    scale = BucketScale(rate: rate, burst: burst)
    latest = now
    fullAt = scale.time(now) + scale.time(tokens: burst - initial)
  }

  /// Spends `cost` if it is there and nobody waits for it.
  @inline(__always)
  package mutating func tryAcquire(_ cost: Int, at now: PacingInstant) -> Bool {
    requireCost(cost)
    guard waiters.isEmpty, cost > 0 else { return cost == 0 }
    let now = advance(to: now)
    let debt = debt(at: now) + scale.time(tokens: cost)
    guard debt <= scale.capacity else { return false }
    fullAt = now + debt
    return true
  }

  /// Spends `cost` if it is there and nobody waits for it, and says what the caller can be told.
  package mutating func request(_ cost: Int, at now: PacingInstant) -> Decision {
    let decision = peek(cost, at: now)
    if decision.isAllowed, cost > 0 { spend(cost, at: advance(to: now)) }
    return decision
  }

  /// What `request` would answer.
  package mutating func peek(_ cost: Int, at now: PacingInstant) -> Decision {
    let now = advance(to: now)
    let wait = wait(for: cost, at: now)
    let isAllowed = wait == 0
    let debt = debt(at: now) + (isAllowed ? scale.time(tokens: cost) : 0)
    let held = scale.time(tokens: waiters.tokens)
    return Decision(
      isAllowed: isAllowed,
      remaining: max(0, balance(owing: debt)),
      retryAfter: wait.map(Duration.init(nanoseconds:)),
      resetAfter: Duration(nanoseconds: held.map { scale.nanoseconds(debt + $0) } ?? .never))
  }

  /// The balance, rounded down, less what waiters hold.
  package mutating func available(at now: PacingInstant) -> Int {
    balance(owing: debt(at: advance(to: now)))
  }
}

extension BucketState {
  /// How long until `cost` is there, rounded up, counting those who wait already; nil for never.
  func wait(for cost: Int, at now: Int128) -> Nanoseconds? {
    requireCost(cost)
    guard cost > 0 else { return 0 }
    guard cost <= scale.burst else { return nil }
    // A waiter's cost is within the burst, so the bucket overflows in no wait of the queue's: the
    // waits add up.
    guard let ahead = scale.time(tokens: waiters.tokens + Int128(cost)) else { return .never }
    return max(0, scale.nanoseconds(debt(at: now) + ahead - scale.capacity))
  }

  mutating func spend(_ cost: Int, at now: Int128) {
    fullAt = now + debt(at: now) + scale.time(tokens: cost)
  }

  /// Clamps the instant, and returns it in units.
  @inline(__always)
  mutating func advance(to now: PacingInstant) -> Int128 {
    if latest < now { latest = now }
    return scale.time(latest)
  }

  /// How long the bucket still needs to be full.
  @inline(__always)
  func debt(at now: Int128) -> Int128 {
    max(0, fullAt - now)
  }

  private func balance(owing debt: Int128) -> Int {
    Int(clamping: scale.tokens(scale.capacity - debt) - waiters.tokens)
  }

  @inline(__always)
  func requireCost(_ cost: Int) {
    ConfigurationError.require(cost >= 0, "cost", cost, must: "not be negative")
  }
}
