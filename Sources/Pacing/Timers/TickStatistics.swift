/// The counts of a timer's ticks.
///
/// The index of the newest tick is `ticks + missed - 1`.
public struct TickStatistics: Hashable, Sendable {
  /// The number of ticks handed out.
  public private(set) var ticks = 0

  /// The number of ticks passed over, including those that a divider leaves out.
  public private(set) var missed = 0

  private var greatestLateness: Nanoseconds = 0

  /// The newest tick, nil before the first.
  public private(set) var latest: Tick?

  package init() {}

  /// The greatest lateness of a tick.
  public var maximumLateness: Duration { Duration(nanoseconds: greatestLateness) }

  mutating func note(_ tick: Tick) {
    ticks = ticks.adding(1)
    missed = missed.adding(tick.missed)
    greatestLateness = max(greatestLateness, tick.actual - tick.scheduled)
    latest = tick
  }
}

extension TickStatistics: CustomStringConvertible {
  /// The counts, and the greatest lateness.
  public var description: String { "ticks \(ticks), missed \(missed), late by \(maximumLateness)" }
}
