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
    self = ConfigurationError.trapping { () throws(ConfigurationError) in
      try QueuePolicy(validating: limit, order: order, whenFull: whenFull)
    }
  }

  /// Makes a policy from settings that are not part of the program.
  ///
  /// - Parameters:
  ///   - limit: How many may wait, nil for as many as come; with zero nobody waits.
  ///   - order: Who is served first.
  ///   - whenFull: Who goes when one more comes.
  /// - Throws: `ConfigurationError` where `limit` is negative.
  public init(
    validating limit: Int?, order: Order = .oldestFirst, whenFull: Overflow = .refuseNewest
  ) throws(ConfigurationError) {
    if let limit, limit < 0 {
      throw ConfigurationError("limit", limit, must: "not be negative")
    }
    self.limit = limit ?? .max
    self.order = order
    self.whenFull = whenFull
  }
}
