/// The counts of a timer's ticks.
///
/// The index of the newest tick is `ticks + missed - 1`.
public struct TickStatistics: Hashable, Sendable {
  /// The number of ticks handed out.
  public let ticks: Int

  /// The number of ticks passed over.
  public let missed: Int

  /// The greatest lateness of a tick.
  public let maximumLateness: Duration
}

extension TickStatistics: CustomStringConvertible {
  /// The counts, and the greatest lateness.
  public var description: String { "ticks \(ticks), missed \(missed), late by \(maximumLateness)" }
}
