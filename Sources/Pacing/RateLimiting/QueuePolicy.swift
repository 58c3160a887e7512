/// How many may wait at a limit, who is served first, and who goes when there are too many.
///
/// ```swift
/// QueuePolicy(limit: 100)                                              // a refusal for the 101st
/// QueuePolicy(limit: 100, order: .newestFirst, whenFull: .dropOldest)  // for fresh answers only
/// ```
public struct QueuePolicy: Hashable, Sendable {
  /// Who is served first.
  public struct Order: Hashable, Sendable {
    let isNewestFirst: Bool

    /// First come, first served: the default.
    public static var oldestFirst: Order { Order(isNewestFirst: false) }

    /// The last to come is served first.
    ///
    /// Under overload some are served in time and the others not at all, where `oldestFirst` serves
    /// everyone too late.
    public static var newestFirst: Order { Order(isNewestFirst: true) }
  }

  /// Who goes when there are too many.
  public struct Overflow: Hashable, Sendable {
    let dropsOldest: Bool

    /// The newcomer is refused: the default.
    public static var refuseNewest: Overflow { Overflow(dropsOldest: false) }

    /// Whoever came first is refused, and the newcomer waits in his place.
    public static var dropOldest: Overflow { Overflow(dropsOldest: true) }
  }

  let limit: Int
  let order: Order
  let whenFull: Overflow

  /// As many as come, first come, first served.
  public static var unlimited: QueuePolicy { QueuePolicy() }

  /// Makes a policy.
  ///
  /// - Parameters:
  ///   - limit: How many may wait, nil for as many as come; with zero nobody waits.
  ///   - order: Who is served first.
  ///   - whenFull: Who goes when one more comes.
  /// - Precondition: `limit` is not negative.
  public init(
    limit: Int? = nil, order: Order = .oldestFirst, whenFull: Overflow = .refuseNewest
  ) {
    ConfigurationError.require(limit ?? 0 >= 0, "limit", limit ?? 0, must: "not be negative")
    self.limit = limit ?? .max
    self.order = order
    self.whenFull = whenFull
  }
}
