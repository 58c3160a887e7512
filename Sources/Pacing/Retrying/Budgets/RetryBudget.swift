/// A bound on the retries of all operations that share it, so that retries do not become the load
/// that a server cannot recover from.
///
/// ```swift
/// let budget = RetryBudget(share: 0.2, atLeast: .perSecond(1))     // one for the whole service
/// let policy = RetryPolicy(backoff: backoff).sharing(budget)
/// ```
///
/// - **A share of the traffic**: a ratio of retries to operations within a sliding window, and a
///   floor for programs with few operations.
/// - **A quota** of units: a retry takes some, a success gives back what its retry took, and a
///   success at the first attempt gives back one.
///
/// A policy whose budget is empty gives up immediately, with the reason `budget`.
///
/// ## Concurrency
/// Thread-safe. A retry's cost is checked and taken in one step, so callers together never take
/// more than there is. A retry that is not made gives its cost back, to the step of the window that
/// it was taken from.
///
/// Source of the share: Finagle's `RetryBudget`. Source of the quota: the standard retry mode of
/// the AWS SDKs.
public final class RetryBudget: Sendable {
  private struct Counts {
    var state: any RetryBudgetState
    var refused = 0
  }

  private let service: TimerService
  private let counts: Locked<Counts>

  private init(_ service: TimerService, _ state: any RetryBudgetState) {
    self.service = service
    counts = Locked(Counts(state: state))
  }

  /// Makes a budget that is a share of the traffic.
  ///
  /// - Parameters:
  ///   - share: The ratio of retries to operations, 0.2 for one in five.
  ///   - floor: How many more there may be whatever the traffic: its tokens of one window.
  ///   - window: How long an operation counts. The window moves in ten steps.
  ///   - clock: The clock of the window.
  /// - Precondition: `share` is in `0...1000`, and `window` is positive.
  public convenience init(
    share: Double, atLeast floor: Rate = .perSecond(10), window: Duration = .seconds(10),
    clock: any Clock<Duration> = .dispatch
  ) {
    let state = ConfigurationError.trapping(try Self.state(share, floor, window, clock.service.now))
    self.init(clock.service, state)
  }

  /// As `init(share:atLeast:window:clock:)`, but throws ``ConfigurationError`` for invalid values,
  /// such as ones known only at run time.
  public convenience init(
    validating share: Double, atLeast floor: Rate = .perSecond(10),
    window: Duration = .seconds(10), clock: any Clock<Duration> = .dispatch
  ) throws(ConfigurationError) {
    self.init(clock.service, try Self.state(share, floor, window, clock.service.now))
  }

  /// Makes a budget of units that retries take and successes give back.
  ///
  /// - Parameters:
  ///   - capacity: The number of units at first, and at most; a negative one counts as zero.
  ///   - cost: What a retry takes, unless its ``RetryAdvice`` specifies otherwise; a negative one
  ///     counts as zero.
  /// - Returns: The budget.
  public static func quota(_ capacity: Int = 500, cost: Int = 5) -> RetryBudget {
    RetryBudget(.system, RetryQuota(capacity: max(0, capacity), cost: max(0, cost)))
  }

  private static func state(
    _ share: Double, _ floor: Rate, _ window: Duration, _ now: PacingInstant
  ) throws(ConfigurationError) -> RetryShare {
    guard (0...1000).contains(share) else {
      throw ConfigurationError("share", share, must: "be in 0...1000")
    }
    guard window > .zero else { throw ConfigurationError("window", window, must: "be positive") }
    return RetryShare(share: share, floor: floor, window: Nanoseconds(wait: window), at: now)
  }

  /// What is left: retries of a share, units of a quota.
  public var available: Int {
    counts.withLock { $0.state.available(at: service.now) }
  }

  /// The number of retries refused so far.
  public var refusedCount: Int { counts.withLock { $0.refused } }

  // MARK: Operations

  /// Notes an operation's first attempt.
  package func began() {
    counts.withLock { $0.state.began(at: service.now) }
  }

  /// Takes what a retry costs, all of it or nothing; nil if there is too little.
  package func take(_ cost: Int?) -> RetryLoan? {
    counts.withLock { counts in
      let loan = counts.state.take(cost, at: service.now)
      if loan == nil { counts.refused += 1 }
      return loan
    }
  }

  /// Gives back what was taken for a retry that is not made.
  package func giveBack(_ loan: RetryLoan) {
    counts.withLock { $0.state.giveBack(loan, at: service.now) }
  }

  /// Notes a success, after a retry that took `loan`, or at the first attempt.
  package func succeeded(after loan: RetryLoan?) {
    counts.withLock { $0.state.succeeded(after: loan) }
  }
}
