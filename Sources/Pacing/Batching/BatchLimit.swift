/// When a batch closes: at a number of elements, at a weight, after a time, or on a grid.
///
/// ```swift
/// BatchLimit(maximumCount: 500, maximumDelay: .milliseconds(50))
/// BatchLimit(maximumWeight: 65_536, idleGap: .milliseconds(5))
/// BatchLimit.every(.seconds(10), includingEmpty: true)
/// BatchLimit(maximumCount: 500).holding(atMost: 20)
/// ```
///
/// Whichever limit is reached first closes the batch; without limits only `flush()` and
/// `finish(_:)` do.
public struct BatchLimit: Hashable, Sendable {
  let maximumCount: Int
  let maximumWeight: Int
  let maximumDelay: Nanoseconds
  let idleGap: Nanoseconds
  /// The period of the grid; nil if times count from the elements.
  let phase: Nanoseconds?
  let includesEmpty: Bool
  /// The maximum number of closed batches that wait for a busy handler.
  private(set) var maximumPendingBatches = Int.max

  /// Makes a limit from constants.
  ///
  /// - Parameters:
  ///   - maximumCount: The maximum number of elements in a batch; nil for no limit.
  ///   - maximumWeight: The maximum total weight of a batch; nil for no limit. A heavier element is
  ///     a batch of its own.
  ///   - maximumDelay: The time from the first element of a batch to its close; nil for no limit.
  ///   - idleGap: The time from the last element of a batch to its close; nil for no limit.
  /// - Precondition: `maximumCount` and `maximumWeight` are positive.
  public init(
    maximumCount: Int? = nil, maximumWeight: Int? = nil, maximumDelay: Duration? = nil,
    idleGap: Duration? = nil
  ) {
    self = ConfigurationError.trapping { () throws(ConfigurationError) in
      try BatchLimit(
        validating: maximumCount, maximumWeight: maximumWeight, maximumDelay: maximumDelay,
        idleGap: idleGap)
    }
  }

  /// As `init(maximumCount:maximumWeight:maximumDelay:idleGap:)`, from values known only at run
  /// time.
  ///
  /// It throws a `ConfigurationError` if `maximumCount` or `maximumWeight` is not positive.
  public init(
    validating maximumCount: Int?, maximumWeight: Int? = nil, maximumDelay: Duration? = nil,
    idleGap: Duration? = nil
  ) throws(ConfigurationError) {
    try self.init(
      count: maximumCount, weight: maximumWeight,
      delay: maximumDelay.map(Nanoseconds.init(wait:)) ?? .never,
      gap: idleGap.map(Nanoseconds.init(wait:)) ?? .never, phase: nil, includesEmpty: false)
  }

  /// Closes a batch at each point of a grid that begins when the batcher is made.
  ///
  /// A batch closed by its size restarts the grid. Several missed points close only one batch.
  ///
  /// - Parameters:
  ///   - period: The time from one point to the next.
  ///   - maximumCount: The maximum number of elements in a batch; nil for no limit.
  ///   - includesEmpty: Whether a period without elements delivers an empty batch.
  /// - Returns: The limit.
  /// - Precondition: `period` and `maximumCount` are positive.
  public static func every(
    _ period: Duration, maximumCount: Int? = nil, includingEmpty includesEmpty: Bool = false
  ) -> BatchLimit {
    ConfigurationError.trapping { () throws(ConfigurationError) in
      try BatchLimit(
        validatingPeriod: period, maximumCount: maximumCount, includingEmpty: includesEmpty)
    }
  }

  /// As `every(_:maximumCount:includingEmpty:)`, from values known only at run time.
  ///
  /// It throws a `ConfigurationError` if `period` or `maximumCount` is not positive.
  public init(
    validatingPeriod period: Duration, maximumCount: Int? = nil,
    includingEmpty includesEmpty: Bool = false
  ) throws(ConfigurationError) {
    guard period > .zero else { throw ConfigurationError("every", period, must: "be positive") }
    try self.init(
      count: maximumCount, weight: nil, delay: .never, gap: .never,
      phase: Nanoseconds(roundingUp: period), includesEmpty: includesEmpty)
  }

  /// The same limit with a bound on the closed batches that wait for a busy handler.
  ///
  /// When one more closes, the oldest of them is dropped, with the reason `.overflow`.
  ///
  /// - Parameter maximum: The maximum number of closed batches that wait.
  /// - Returns: The limit.
  /// - Precondition: `maximum` is positive.
  public func holding(atMost maximum: Int) -> BatchLimit {
    ConfigurationError.trapping { () throws(ConfigurationError) in
      try holding(validatingAtMost: maximum)
    }
  }

  /// As `holding(atMost:)`, for a bound known only at run time.
  ///
  /// It throws a `ConfigurationError` if `maximum` is not positive.
  public func holding(validatingAtMost maximum: Int) throws(ConfigurationError) -> BatchLimit {
    guard maximum > 0 else { throw ConfigurationError("atMost", maximum, must: "be positive") }
    var limit = self
    limit.maximumPendingBatches = maximum
    return limit
  }

  private init(
    count: Int?, weight: Int?, delay: Nanoseconds, gap: Nanoseconds, phase: Nanoseconds?,
    includesEmpty: Bool
  ) throws(ConfigurationError) {
    if let count, count <= 0 {
      throw ConfigurationError("maximumCount", count, must: "be positive")
    }
    if let weight, weight <= 0 {
      throw ConfigurationError("maximumWeight", weight, must: "be positive")
    }
    maximumCount = count ?? .max
    maximumWeight = weight ?? .max
    maximumDelay = delay
    idleGap = gap
    self.phase = phase
    self.includesEmpty = includesEmpty
  }
}
