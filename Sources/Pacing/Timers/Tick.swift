/// One tick of a timer: its index, its deadline, the instant at which it came, and what was missed.
///
/// For consecutive ticks a, b of a timer's stream, `b.index == a.index + 1 + b.missed`, always.
public struct Tick: Hashable, Sendable {
  /// The number of the tick, counted from 0.
  public let index: Int

  /// The deadline that the tick stands for: `start + index * period` while the grid is kept.
  public let scheduled: PacingInstant

  /// The instant at which the tick was decided, at or after `scheduled`.
  public internal(set) var actual: PacingInstant

  /// The number of ticks passed over between the previous tick and this one.
  public internal(set) var missed: Int

  /// The number of ticks after this one; nil if there is no end.
  public let remaining: Int?

  /// Creates a tick, to test code that receives one.
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
