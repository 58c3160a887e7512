/// A number of units that retries take and successes give back.
struct RetryQuota: RetryBudgetState {
  private let capacity: Int
  private let cost: Int
  private var left: Int

  init(capacity: Int, cost: Int) {
    self.capacity = capacity
    self.cost = cost
    left = capacity
  }

  func available(at now: PacingInstant) -> Int { left }

  func began(at now: PacingInstant) {}

  mutating func take(_ advised: Int?, at now: PacingInstant) -> RetryLoan? {
    let cost = advised ?? cost
    guard cost <= left else { return nil }
    left -= cost
    return RetryLoan(units: cost)
  }

  mutating func giveBack(_ loan: RetryLoan, at now: PacingInstant) { refund(loan.units) }

  mutating func succeeded(after loan: RetryLoan?) { refund(loan?.units ?? 1) }

  private mutating func refund(_ units: Int) {
    left = min(capacity, left.adding(units))
  }
}
