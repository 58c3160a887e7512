/// What a budget lent for one retry: how much, and the step of the window that it was taken from.
package struct RetryLoan: Hashable, Sendable {
  package let units: Int
  /// The number of the step; zero for a quota, which has no steps.
  let step: Int64

  package init(units: Int, step: Int64 = 0) {
    self.units = units
    self.step = step
  }
}
