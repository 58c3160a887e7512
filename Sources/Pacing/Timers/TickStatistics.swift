/// The counts of a timer's ticks.
///
/// The index of the newest tick is `ticks + missed - 1`.
public struct TickStatistics: Hashable, Sendable {
  /// The number of ticks handed out.
  public let ticks: Int

  /// The number of ticks passed over.
  public let missed: Int

  private let greatestLateness: Nanoseconds

  /// The newest tick, nil before the first.
  public let latest: Tick?

  init(ticks: Int, missed: Int, greatestLateness: Nanoseconds, latest: Tick?) {
    self.ticks = ticks
    self.missed = missed
    self.greatestLateness = greatestLateness
    self.latest = latest
  }

  /// The greatest lateness of a tick.
  public var maximumLateness: Duration { Duration(nanoseconds: greatestLateness) }
}

extension TickStatistics: CustomStringConvertible {
  /// The counts, and the greatest lateness.
  public var description: String { "ticks \(ticks), missed \(missed), late by \(maximumLateness)" }
}
