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

  mutating func take(_ advised: Int?) -> RetryLoan? {
    let cost = advised ?? cost
    guard cost <= left else { return nil }
    left -= cost
    return RetryLoan(units: cost)
  }

  mutating func refund(_ units: Int) {
    left = min(capacity, left.adding(units))
  }
}
