/// What a retry budget counts, as a pure value.
protocol RetryBudgetState: Sendable {
  /// How many retries of a share there is room for, or the units of a quota.
  mutating func available(at now: PacingInstant) -> Int

  /// Notes an operation's first attempt.
  mutating func began(at now: PacingInstant)

  /// Takes what a retry costs, all of it or nothing; nil if there is too little.
  mutating func take(_ cost: Int?, at now: PacingInstant) -> RetryLoan?

  /// Gives back what was taken for a retry that was not made.
  mutating func giveBack(_ loan: RetryLoan, at now: PacingInstant)

  /// Notes a success, after a retry that took `loan`, or at the first attempt.
  mutating func succeeded(after loan: RetryLoan?)
}
