/// When a timer's first tick is due.
public struct FirstTick: Hashable, Sendable {
  private enum Choice: Hashable {
    case afterPeriod
    case after(Nanoseconds)
    case at(PacingInstant)
  }

  private let choice: Choice

  /// One period after the start: the default.
  public static var afterPeriod: FirstTick { FirstTick(choice: .afterPeriod) }

  /// At the start.
  public static var now: FirstTick { after(.zero) }

  /// So long after the start; at the start where the delay is zero or less.
  public static func after(_ delay: Duration) -> FirstTick {
    FirstTick(choice: .after(Nanoseconds(wait: delay)))
  }

  /// At an instant of the timer's clock; at the start where that has passed.
  public static func at(_ instant: PacingInstant) -> FirstTick {
    FirstTick(choice: .at(instant))
  }

  func deadline(startingAt start: PacingInstant, period: Nanoseconds) -> PacingInstant {
    switch choice {
    case .afterPeriod: start + period
    case .after(let delay): start + delay
    case .at(let instant): max(start, instant)
    }
  }
}
