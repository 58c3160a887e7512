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
  /// - Returns: What was taken; nil if there was too little.
  package mutating func take(_ cost: Int?, at now: PacingInstant) -> RetryLoan? {
    switch self {
    case .share(var share):
      defer { self = .share(share) }
      return share.take(at: now)
    case .quota(var quota):
      defer { self = .quota(quota) }
      return quota.take(cost)
    }
  }

  /// Gives back what was taken for a retry that was not made.
  package mutating func giveBack(_ loan: RetryLoan, at now: PacingInstant) {
    switch self {
    case .share(var share):
      share.giveBack(loan, at: now)
      self = .share(share)
    case .quota(var quota):
      quota.refund(loan.units)
      self = .quota(quota)
    }
  }

  /// Notes a success, after a retry that took `loan`, or at the first attempt.
  package mutating func succeeded(after loan: RetryLoan?) {
    guard case .quota(var quota) = self else { return }
    quota.refund(loan?.units ?? quota.firstSuccess)
    self = .quota(quota)
  }
}
