/// One tick of a timer: which one it is, when it should have come, when it came, and what was
/// missed.
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

  /// How many ticks were passed over between the one before and this one.
  public let missed: Int

  /// How many ticks come after this one, nil where there is no end.
  public let remaining: Int?

  /// Makes a tick, for a test of code that is given one.
  ///
  /// - Parameters:
  ///   - index: The number of the tick, counted from 0.
  ///   - scheduled: The deadline that it stands for.
  ///   - actual: The instant at which it was decided.
  ///   - missed: How many ticks were passed over before it.
  ///   - remaining: How many ticks come after it, nil where there is no end.
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
