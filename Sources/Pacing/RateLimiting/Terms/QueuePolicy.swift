/// The bound of a limit's queue, its order, and how much timer lateness it makes up for.
///
/// ```swift
/// QueuePolicy(maximumWaiters: 100)  // a refusal for the 101st
/// QueuePolicy(maximumWaiters: 100, newestFirst: true, whenFull: .makeRoom)  // fresh answers
/// QueuePolicy(catchUp: .zero)  // grants count from now
/// ```
///
/// ## Timing
/// Timers fire late. A grant to a waiter therefore counts from the instant at which its tokens
/// accrued, at most `catchUp` before the present, so that waiters get the configured rate. Counted
/// this way, the grants in every interval are at most the burst plus the tokens that accrue in it;
/// measured by the clock, the tokens of one `catchUp` may be added. Calls that do not wait count
/// from the call, and events of windows from the call or the wake.
///
/// If two or more tokens of a bucket accrue within a tenth of `catchUp`, by default 1 ms, waiters
/// share wakes, which lose nothing: each may be served that much later, whichever callers join
/// behind it, and at the latest when an eighth of the bucket is full.
public struct QueuePolicy: Hashable, Sendable {
  let maximumWaiters: Int
  let newestFirst: Bool
  let whenFull: WhenFull
  let catchUp: Nanoseconds

  /// FIFO without a bound.
  public static var unlimited: QueuePolicy { QueuePolicy() }

  /// Creates a policy.
  ///
  /// - Parameters:
  ///   - maximumWaiters: The most waiters, nil for no bound; with zero no caller waits.
  ///   - newestFirst: Whether the newest waiter is served first, LIFO: under overload some are
  ///     served in time and the others not at all, while FIFO serves all of them too late.
  ///   - whenFull: Whether a full queue refuses the new caller, or, to make room, the waiter that
  ///     joined first.
  ///   - catchUp: How far before the present a grant may count; zero for none.
  /// - Precondition: `maximumWaiters` and `catchUp` are not negative.
  public init(
    maximumWaiters: Int? = nil, newestFirst: Bool = false,
    whenFull: WhenFull = .refuse, catchUp: Duration = .milliseconds(10)
  ) {
    if let maximumWaiters {
      ConfigurationError.require(
        maximumWaiters >= 0, "maximumWaiters", maximumWaiters, must: "not be negative")
    }
    ConfigurationError.require(catchUp >= .zero, "catchUp", catchUp, must: "not be negative")
    self.maximumWaiters = maximumWaiters ?? .max
    self.newestFirst = newestFirst
    self.whenFull = whenFull
    self.catchUp = Nanoseconds(roundingUp: catchUp)
  }
}
