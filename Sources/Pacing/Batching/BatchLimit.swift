/// When a batch closes: at a number of elements, at a weight, after a time, or on a grid.
///
/// ```swift
/// BatchLimit(maximumCount: 500, maximumDelay: .milliseconds(50))
/// BatchLimit(maximumWeight: 65_536, idleGap: .milliseconds(5))
/// BatchLimit.every(.seconds(10), includingEmpty: true)
/// BatchLimit(maximumCount: 500, maximumPendingBatches: 20)
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
  let maximumPendingBatches: Int

  /// Creates a limit.
  ///
  /// - Parameters:
  ///   - maximumCount: The maximum number of elements in a batch; nil for no limit.
  ///   - maximumWeight: The maximum total weight of a batch; nil for no limit. A heavier element is
  ///     a batch of its own.
  ///   - maximumDelay: The time from the first element of a batch to its close; nil for no limit.
  ///   - idleGap: The time from the last element of a batch to its close; nil for no limit.
  ///   - maximumPendingBatches: The maximum number of closed batches that wait for a busy handler;
  ///     nil for no limit. When one more closes, the oldest is dropped, with the reason
  ///     `.overflow`; while the handler is busy, by time only with the next element.
  /// - Precondition: `maximumCount`, `maximumWeight` and `maximumPendingBatches` are positive.
  public init(
    maximumCount: Int? = nil, maximumWeight: Int? = nil, maximumDelay: Duration? = nil,
    idleGap: Duration? = nil, maximumPendingBatches: Int? = nil
  ) {
    self.init(
      count: maximumCount, weight: maximumWeight,
      delay: maximumDelay.map(Nanoseconds.init(wait:)) ?? .never,
      gap: idleGap.map(Nanoseconds.init(wait:)) ?? .never, phase: nil, includesEmpty: false,
      pending: maximumPendingBatches)
  }

  /// Closes a batch at each point of a grid that begins when the batcher is made.
  ///
  /// A batch closed by its size restarts the grid. Several missed points close only one batch.
  ///
  /// - Parameters:
  ///   - period: The time from one point to the next.
  ///   - maximumCount: The maximum number of elements in a batch; nil for no limit.
  ///   - includesEmpty: Whether a period without elements delivers an empty batch.
  ///   - maximumPendingBatches: The maximum number of batches that wait, as in the initialiser.
  /// - Returns: The limit.
  /// - Precondition: `period` and the numbers are positive.
  public static func every(
    _ period: Duration, maximumCount: Int? = nil, includingEmpty includesEmpty: Bool = false,
    maximumPendingBatches: Int? = nil
  ) -> BatchLimit {
    ConfigurationError.require(period > .zero, "every", period, must: "be positive")
    return BatchLimit(
      count: maximumCount, weight: nil, delay: .never, gap: .never,
      phase: Nanoseconds(roundingUp: period), includesEmpty: includesEmpty,
      pending: maximumPendingBatches)
  }

  private init(
    count: Int?, weight: Int?, delay: Nanoseconds, gap: Nanoseconds, phase: Nanoseconds?,
    includesEmpty: Bool, pending: Int?
  ) {
    let bounds = [
      ("maximumCount", count), ("maximumWeight", weight), ("maximumPendingBatches", pending),
    ]
    for case (let name, let bound?) in bounds {
      ConfigurationError.require(bound > 0, name, bound, must: "be positive")
    }
    maximumCount = count ?? .max
    maximumWeight = weight ?? .max
    maximumDelay = delay
    idleGap = gap
    self.phase = phase
    self.includesEmpty = includesEmpty
    maximumPendingBatches = pending ?? .max
  }
}
