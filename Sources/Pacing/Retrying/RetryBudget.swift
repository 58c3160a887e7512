/// How many retries are made at all, for all who share the budget: what keeps retries from becoming
/// the load that a server cannot recover from.
///
/// ```swift
/// let budget = RetryBudget(share: 0.2, atLeast: .perSecond(1))     // one for the whole service
/// let policy = RetryPolicy(backoff: backoff).sharing(budget)
/// ```
///
/// - **A share of the traffic**: so many retries for each operation that was begun, within a window
///   that slides, and a floor for those who begin few.
/// - **A quota** of units: a retry takes some, a success gives back what its retry took, and a
///   success at the first attempt gives back one.
///
/// An operation that finds the budget empty is given up at once, with the reason `budget`.
///
/// ## Concurrency
/// Thread-safe. A retry's cost is taken in one step with the check for it, so no number of callers
/// takes more than there is. A retry that is cancelled while it is waited for gives its cost back.
///
/// Source of the share: Finagle's `RetryBudget`. Source of the quota: the standard retry mode of
/// the AWS SDKs.
public final class RetryBudget: Sendable {
  private struct Counts {
    var state: RetryBudgetState
    var refusals = 0
  }

  private let service: TimerService
  private let counts: Locked<Counts>

  private init(_ service: TimerService, _ state: RetryBudgetState) {
    self.service = service
    counts = Locked(Counts(state: state))
  }

  /// Makes a budget that is a share of the traffic.
  ///
  /// - Parameters:
  ///   - share: How many retries there are for each operation, 0.2 for one in five.
  ///   - floor: How many there may be beside it, whatever the traffic: its tokens of one window.
  ///   - window: How long an operation counts. The window moves in ten steps.
  ///   - clock: The clock of the window.
  /// - Precondition: `share` is in `0...1000`, and `window` is positive.
  public convenience init(
    share: Double, atLeast floor: Rate = .perSecond(10), window: Duration = .seconds(10),
    clock: any PacingClock = .dispatch
  ) {
    let state = ConfigurationError.trapping { () throws(ConfigurationError) in
      try Self.state(share, floor, window, clock.service.now)
    }
    self.init(clock.service, state)
  }

  /// Makes a budget that is a share of the traffic from settings that are not part of the program.
  ///
  /// - Parameters:
  ///   - share: How many retries there are for each operation.
  ///   - floor: How many there may be beside it, whatever the traffic.
  ///   - window: How long an operation counts.
  ///   - clock: The clock of the window.
  /// - Throws: `ConfigurationError` where `share` is not in `0...1000`, or `window` is not
  ///   positive.
  public convenience init(
    validating share: Double, atLeast floor: Rate = .perSecond(10),
    window: Duration = .seconds(10), clock: any PacingClock = .dispatch
  ) throws(ConfigurationError) {
    self.init(clock.service, try Self.state(share, floor, window, clock.service.now))
  }

  /// Makes a budget of units that retries take and successes give back.
  ///
  /// - Parameters:
  ///   - capacity: How many units there are at first, and at most; none where it is negative.
  ///   - cost: What a retry takes, unless its `RetryAdvice` says otherwise; none where it is
  ///     negative.
  /// - Returns: The budget.
  public static func quota(_ capacity: Int = 500, cost: Int = 5) -> RetryBudget {
    let quota = RetryQuota(capacity: max(0, capacity), cost: max(0, cost), firstSuccess: 1)
    return RetryBudget(.system, .quota(quota))
  }

  private static func state(
    _ share: Double, _ floor: Rate, _ window: Duration, _ now: PacingInstant
  ) throws(ConfigurationError) -> RetryBudgetState {
    guard (0...1000).contains(share) else {
      throw ConfigurationError("share", share, must: "be in 0...1000")
    }
    guard window > .zero else { throw ConfigurationError("window", window, must: "be positive") }
    return .share(
      RetryShare(share: share, floor: floor, window: Nanoseconds(wait: window), at: now))
  }

  /// What is left: how many retries of a share, how many units of a quota.
  public var available: Int {
    counts.withLock { $0.state.available(at: service.now) }
  }

  /// How many retries were refused so far.
  public var refusals: Int { counts.withLock { $0.refusals } }

  // MARK: Operations

  /// Notes an operation's first attempt.
  package func began() {
    counts.withLock { $0.state.began(at: service.now) }
  }

  /// Takes what a retry costs, all of it or nothing; nil where there is too little.
  package func take(_ cost: Int?) -> Int? {
    counts.withLock { counts in
      let taken = counts.state.take(cost, at: service.now)
      if taken == nil { counts.refusals += 1 }
      return taken
    }
  }

  /// Gives back what was taken for a retry that is not made.
  package func giveBack(_ cost: Int) {
    counts.withLock { $0.state.giveBack(cost, at: service.now) }
  }

  /// Notes a success, after a retry that took `cost`, or at the first attempt.
  package func succeeded(afterTaking cost: Int?) {
    counts.withLock { $0.state.succeeded(afterTaking: cost) }
  }
}
