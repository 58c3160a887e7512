/// One tick of a timer: its index, its deadline, the instant at which it came, and what was missed.
///
/// For consecutive ticks a, b of one subscription, `b.index == a.index + 1 + b.missed`, always.
public struct Tick: Hashable, Sendable {
  /// The number of the tick, counted from 0.
  public let index: Int

  /// The deadline that the tick stands for: `start + index * period` while the timer keeps its
  /// grid.
  public let scheduled: PacingInstant

  /// The instant at which the tick was decided, at or after `scheduled`.
  public let actual: PacingInstant

  /// The number of ticks passed over between the previous tick and this one.
  public let missed: Int

  /// The number of ticks after this one; nil if there is no end.
  public let remaining: Int?

  /// Makes a tick, for a test of code that is given one.
  ///
  /// - Parameters:
  ///   - index: The number of the tick, counted from 0.
  ///   - scheduled: The deadline that it stands for.
  ///   - actual: The instant at which it was decided.
  ///   - missed: The number of ticks passed over before it.
  ///   - remaining: The number of ticks after it; nil if there is no end.
  public init(
    index: Int, scheduled: PacingInstant, actual: PacingInstant, missed: Int = 0,
    remaining: Int? = nil
  ) {
    self.index = index
    self.scheduled = scheduled
    self.actual = actual
    self.missed = missed
    self.remaining = remaining
  }

  /// How late the tick was decided.
  public var lateness: Duration { scheduled.duration(to: actual) }
}

extension Tick {
  /// The same tick with another count of missed ones.
  func missing(_ missed: Int) -> Tick {
    Tick(
      index: index, scheduled: scheduled, actual: actual, missed: missed, remaining: remaining)
  }
}
