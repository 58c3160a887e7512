/// The bound of a limit's queue, its order, and how much lateness of a timer it makes up for.
///
/// ```swift
/// QueuePolicy(limit: 100)                                              // a refusal for the 101st
/// QueuePolicy(limit: 100, order: .newestFirst, whenFull: .dropOldest)  // for fresh answers only
/// QueuePolicy(catchUp: .zero)                                          // grants count from now
/// ```
///
/// ## Timing
/// A timer is a little late, and on a busy machine much more. A grant to a waiter therefore counts
/// from the instant at which its tokens came, at most `catchUp` before the present, so that waiters
/// get the rate that was asked for. Counted so, the grants in every interval are at most the burst
/// and what comes in that time; on the clock, what comes in `catchUp` may be added. Windows, and
/// calls that do not wait, count from the call.
public struct QueuePolicy: Hashable, Sendable {
  /// Which waiter is served first.
  public struct Order: Hashable, Sendable {
    let isNewestFirst: Bool

    /// First in, first out: the default.
    public static var oldestFirst: Order { Order(isNewestFirst: false) }

    /// Last in, first out.
    ///
    /// Under overload some waiters are served in time and the others not at all, while
    /// `oldestFirst` serves all of them too late.
    public static var newestFirst: Order { Order(isNewestFirst: true) }
  }

  /// Which caller goes when the queue is full.
  public struct Overflow: Hashable, Sendable {
    let dropsOldest: Bool

    /// The newcomer is refused: the default.
    public static var refuseNewest: Overflow { Overflow(dropsOldest: false) }

    /// The waiter that came first is refused, and the newcomer takes its place.
    public static var dropOldest: Overflow { Overflow(dropsOldest: true) }
  }

  let limit: Int
  let order: Order
  let whenFull: Overflow
  let catchUp: Nanoseconds

  /// No bound, first in, first out.
  public static var unlimited: QueuePolicy { QueuePolicy() }

  /// Makes a policy.
  ///
  /// - Parameters:
  ///   - limit: The most waiters, nil for no bound; with zero no caller waits.
  ///   - order: Which waiter is served first.
  ///   - whenFull: Which caller goes when the queue is full.
  ///   - catchUp: How far before the present a grant may count; zero for none.
  /// - Precondition: `limit` and `catchUp` are not negative.
  public init(
    limit: Int? = nil, order: Order = .oldestFirst, whenFull: Overflow = .refuseNewest,
    catchUp: Duration = .milliseconds(10)
  ) {
    self = ConfigurationError.trapping { () throws(ConfigurationError) in
      try QueuePolicy(validating: limit, order: order, whenFull: whenFull, catchUp: catchUp)
    }
  }

  /// Makes a policy from values known only at run time, as `init(limit:order:whenFull:catchUp:)`
  /// does.
  ///
  /// - Throws: `ConfigurationError` if `limit` or `catchUp` is negative.
  public init(
    validating limit: Int?, order: Order = .oldestFirst, whenFull: Overflow = .refuseNewest,
    catchUp: Duration = .milliseconds(10)
  ) throws(ConfigurationError) {
    if let limit, limit < 0 {
      throw ConfigurationError("limit", limit, must: "not be negative")
    }
    guard catchUp >= .zero else {
      throw ConfigurationError("catchUp", catchUp, must: "not be negative")
    }
    self.limit = limit ?? .max
    self.order = order
    self.whenFull = whenFull
    self.catchUp = Nanoseconds(roundingUp: catchUp)
  }
}
