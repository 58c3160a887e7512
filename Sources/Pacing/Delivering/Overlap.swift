/// What happens when a value falls due while the async handler of an earlier one is running.
///
/// Start times of a handler that takes four steps and ends immediately when cancelled:
///
///     due              123-----45--------
///     .keepLatest      1---3---4---5-----
///     .queue(2)        1---2---3---4---5-
///     .cancelPrevious  123-----45--------
///     .dropNew         1-------4---------
///     .concurrent(2)   12--3---45--------
public struct Overlap: Hashable, Sendable {
  /// How many deliveries may be decided or running at a time, in one number, since every tool has
  /// it: negative if all of them may run; 0 for `cancelPrevious`, `max` for `dropNew`.
  private let code: Int32

  /// One run at a time; the newest value waits, replacing earlier ones; the default.
  public static var keepLatest: Overlap { Overlap(code: 1) }

  /// One run at a time; up to `limit` values wait in FIFO order, followed by the newest one.
  ///
  /// - Precondition: `limit` is positive.
  public static func queue(_ limit: Int) -> Overlap {
    ConfigurationError.trapping(try Overlap(validatingQueue: limit))
  }

  /// One run at a time; a value that falls due cancels the running task, and the newest one begins
  /// when that task has ended.
  public static var cancelPrevious: Overlap {
    Overlap(code: 0)
  }

  /// One run at a time; values that fall due meanwhile are dropped, with the reason `.busy`.
  ///
  /// This holds even if the timer is so late that the run has ended by then: what counts is when a
  /// value was due, not when that was noticed.
  public static var dropNew: Overlap {
    Overlap(code: .max)
  }

  /// Up to `limit` runs at a time; beyond that the newest value waits, replacing earlier ones.
  ///
  /// - Precondition: `limit` is positive.
  public static func concurrent(_ limit: Int) -> Overlap {
    ConfigurationError.trapping(try Overlap(validatingConcurrent: limit))
  }

  /// Makes `queue(_:)` from a value known only at run time.
  ///
  /// - Parameter limit: The maximum number of values that wait in FIFO order.
  /// - Throws: ``ConfigurationError`` if `limit` is not positive.
  public init(validatingQueue limit: Int) throws(ConfigurationError) {
    try Self.check("queue", limit)
    self.init(code: min(Int32(clamping: limit), .max - 2) + 1)
  }

  /// As `init(validatingQueue:)`, for `concurrent(_:)`.
  public init(validatingConcurrent limit: Int) throws(ConfigurationError) {
    try Self.check("concurrent", limit)
    self.init(code: limit == 1 ? 1 : -Int32(clamping: limit))
  }

  /// No limit, for states that bound their own decisions.
  static var unlimited: Overlap { Overlap(code: -.max) }

  @inline(__always)
  var cancelsPrevious: Bool { code == 0 }

  @inline(__always)
  var dropsNew: Bool { code == .max }

  /// The maximum number of concurrent runs.
  @inline(__always)
  var concurrency: Int { code < 0 ? -Int(code) : 1 }

  /// The maximum number of deliveries decided or running; what falls due beyond that is held and
  /// merged.
  @inline(__always)
  var capacity: Int { code == 0 ? 1 : abs(Int(code)) }

  private init(code: Int32) {
    self.code = code
  }

  private static func check(_ name: String, _ limit: Int) throws(ConfigurationError) {
    guard limit > 0 else { throw ConfigurationError(name, limit, must: "be positive") }
  }
}
