/// What a retry budget counts, as a pure value.
package enum RetryBudgetState: Sendable {
  case share(RetryShare)
  case quota(RetryQuota)

  /// How many usual retries there is room for.
  package mutating func available(at now: PacingInstant) -> Int {
    switch self {
    case .share(var share):
      defer { self = .share(share) }
      return share.available(at: now)
    case .quota(let quota):
      return quota.left
    }
  }

  /// Notes an operation's first attempt.
  package mutating func began(at now: PacingInstant) {
    guard case .share(var share) = self else { return }
    share.deposit(at: now)
    self = .share(share)
  }

  /// Takes what a retry costs, all of it or nothing.
  ///
  /// - Returns: What was taken, nil where there was too little.
  package mutating func take(_ cost: Int?, at now: PacingInstant) -> Int? {
    switch self {
    case .share(var share):
      defer { self = .share(share) }
      return share.take(at: now) ? 1 : nil
    case .quota(var quota):
      defer { self = .quota(quota) }
      return quota.take(cost)
    }
  }

  /// Gives back what was taken for a retry that was not made.
  package mutating func giveBack(_ cost: Int, at now: PacingInstant) {
    switch self {
    case .share(var share):
      defer { self = .share(share) }
      share.giveBack(at: now)
    case .quota(var quota):
      defer { self = .quota(quota) }
      quota.refund(cost)
    }
  }

  /// Notes a success, after a retry that took `cost`, or at the first attempt.
  package mutating func succeeded(afterTaking cost: Int?) {
    guard case .quota(var quota) = self else { return }
    quota.refund(cost ?? quota.firstSuccess)
    self = .quota(quota)
  }
}

/// A number of units that retries take and successes give back.
package struct RetryQuota: Sendable {
  let capacity: Int
  let cost: Int
  /// What a success at the first attempt gives back.
  let firstSuccess: Int
  private(set) var left: Int

  package init(capacity: Int, cost: Int, firstSuccess: Int) {
    self.capacity = capacity
    self.cost = cost
    self.firstSuccess = firstSuccess
    left = capacity
  }

  mutating func take(_ advised: Int?) -> Int? {
    let cost = advised ?? cost
    guard cost <= left else { return nil }
    left -= cost
    return cost
  }

  mutating func refund(_ units: Int) {
    left = min(capacity, left.adding(units))
  }
}

/// Retries as a share of the operations of a sliding window, in millionths of a retry.
///
/// The window moves in ten steps: what a step counted is forgotten as a whole.
package struct RetryShare: Sendable {
  private static let steps = 10
  private static let retry: Int64 = 1_000_000

  private let perOperation: Int64
  private let reserve: Int64
  private let step: Nanoseconds
  /// The balance of each step, in a ring.
  private var balances = [Int64](repeating: 0, count: steps)
  private var balance: Int64 = 0
  private var current: Int64
  private var latest: PacingInstant

  /// Begins with an empty window.
  package init(share: Double, floor: Rate, window: Nanoseconds, at now: PacingInstant) {
    perOperation = Int64((share * Double(Self.retry)).rounded())
    let spare = Int128(window) * Int128(floor.tokens) / Int128(floor.nanoseconds)
    reserve = Int64(clamping: spare).multiplied(by: Self.retry)
    step = max(1, window / Int64(Self.steps))
    latest = now
    current = now.nanoseconds / step
  }

  package mutating func available(at now: PacingInstant) -> Int {
    advance(to: now)
    return Int(clamping: max(0, left) / Self.retry)
  }

  mutating func deposit(at now: PacingInstant) {
    advance(to: now)
    add(perOperation)
  }

  mutating func take(at now: PacingInstant) -> Bool {
    advance(to: now)
    guard left >= Self.retry else { return false }
    add(-Self.retry)
    return true
  }

  mutating func giveBack(at now: PacingInstant) {
    advance(to: now)
    add(Self.retry)
  }

  private var left: Int64 { balance.adding(reserve) }

  private mutating func add(_ amount: Int64) {
    balance = balance.adding(amount)
    balances[Int(current.magnitude % UInt64(Self.steps))] += amount
  }

  /// Forgets the steps that have left the window; time that goes back counts as standing still.
  private mutating func advance(to now: PacingInstant) {
    latest = max(latest, now)
    let newest = latest.nanoseconds / step
    guard newest > current else { return }
    for number in Swift.max(current + 1, newest - Int64(Self.steps) + 1)...newest {
      let index = Int(number.magnitude % UInt64(Self.steps))
      balance -= balances[index]
      balances[index] = 0
    }
    current = newest
  }
}
