/// What happens when a value falls due while the async handler of an earlier one has not returned.
///
/// When the runs begin of a handler that takes four steps, and ends at once when it is cancelled:
///
///     due              123-----45--------
///     .keepLatest      1---3---4---5-----
///     .queue(2)        1---2---3---4---5-
///     .cancelPrevious  123-----45--------
///     .dropNew         1-------4---------
///     .concurrent(2)   12--3---45--------
public struct Overlap: Hashable, Sendable {
  /// How many handlers run at the same time.
  let concurrency: Int
  /// How many deliveries may be decided or running; what falls due beyond that is held, and merged.
  let capacity: Int
  let cancelsPrevious: Bool
  let dropsNew: Bool

  /// One at a time; the newest value waits, in the place of those before it: the default.
  public static var keepLatest: Overlap { Overlap(concurrency: 1, capacity: 1) }

  /// One at a time; up to `limit` values wait their turn, and the newest one behind them.
  ///
  /// - Precondition: `limit` is positive.
  public static func queue(_ limit: Int) -> Overlap {
    ConfigurationError.trapping { () throws(ConfigurationError) in
      try Overlap(validatingQueue: limit)
    }
  }

  /// One at a time; the task of the one that runs is cancelled, and the newest begins when it has
  /// ended.
  public static var cancelPrevious: Overlap {
    Overlap(concurrency: 1, capacity: 1, cancelsPrevious: true)
  }

  /// One at a time; what falls due meanwhile is dropped, with the reason `.busy`.
  ///
  /// It is dropped as well where the timer is so late that the run has ended by then: what counts
  /// is when a value was due, and not when that was noticed.
  public static var dropNew: Overlap {
    Overlap(concurrency: 1, capacity: .max, dropsNew: true)
  }

  /// Up to `limit` at a time; beyond that the newest value waits, in the place of those before it.
  ///
  /// - Precondition: `limit` is positive.
  public static func concurrent(_ limit: Int) -> Overlap {
    ConfigurationError.trapping { () throws(ConfigurationError) in
      try Overlap(validatingConcurrent: limit)
    }
  }

  /// Makes `queue(_:)` from a setting that is not part of the program.
  ///
  /// - Parameter limit: How many values wait their turn.
  /// - Throws: `ConfigurationError` where `limit` is not positive.
  public init(validatingQueue limit: Int) throws(ConfigurationError) {
    try Self.check("queue", limit)
    self.init(concurrency: 1, capacity: limit.adding(1))
  }

  /// Makes `concurrent(_:)` from a setting that is not part of the program.
  ///
  /// - Parameter limit: How many handlers run at a time.
  /// - Throws: `ConfigurationError` where `limit` is not positive.
  public init(validatingConcurrent limit: Int) throws(ConfigurationError) {
    try Self.check("concurrent", limit)
    self.init(concurrency: limit, capacity: limit)
  }

  /// For states that say themselves what may be decided.
  static var unlimited: Overlap { Overlap(concurrency: .max, capacity: .max) }

  private init(
    concurrency: Int, capacity: Int, cancelsPrevious: Bool = false, dropsNew: Bool = false
  ) {
    self.concurrency = concurrency
    self.capacity = capacity
    self.cancelsPrevious = cancelsPrevious
    self.dropsNew = dropsNew
  }

  private static func check(_ name: String, _ limit: Int) throws(ConfigurationError) {
    guard limit > 0 else { throw ConfigurationError(name, limit, must: "be positive") }
  }
}
