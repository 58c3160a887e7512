/// A point in monotonic time, to the nanosecond.
///
/// Instants of different clocks, or of different runs of a program, say nothing about each other.
public struct PacingInstant: InstantProtocol, Hashable, Sendable {
  /// Nanoseconds since the clock's own origin.
  package let nanoseconds: Nanoseconds

  package init(nanoseconds: Nanoseconds) {
    self.nanoseconds = nanoseconds
  }

  /// The instant that never comes: what has this deadline does not fire.
  public static var distantFuture: PacingInstant { PacingInstant(nanoseconds: .never) }

  /// An instant before all others.
  package static var distantPast: PacingInstant { PacingInstant(nanoseconds: .min) }

  /// The instant `duration` later, or earlier where it is negative.
  ///
  /// A result beyond the range of an instant is the nearest one; fractions of a nanosecond are
  /// rounded up.
  public func advanced(by duration: Duration) -> PacingInstant {
    self + Nanoseconds(roundingUp: duration)
  }

  /// The time from this instant to `other`, negative where `other` is earlier.
  public func duration(to other: PacingInstant) -> Duration {
    Duration(nanoseconds: other - self)
  }

  /// Whether `lhs` is earlier than `rhs`.
  public static func < (lhs: PacingInstant, rhs: PacingInstant) -> Bool {
    lhs.nanoseconds < rhs.nanoseconds
  }

  package static func + (instant: PacingInstant, span: Nanoseconds) -> PacingInstant {
    PacingInstant(nanoseconds: instant.nanoseconds.adding(span))
  }

  package static func - (later: PacingInstant, earlier: PacingInstant) -> Nanoseconds {
    let (span, overflow) = later.nanoseconds.subtractingReportingOverflow(earlier.nanoseconds)
    guard overflow else { return span }
    return later < earlier ? .min : .max
  }
}

extension PacingInstant: CustomStringConvertible {
  /// The time since the clock's origin, `distantFuture` for the instant that never comes.
  public var description: String {
    self == .distantFuture ? "distantFuture" : "\(Duration(nanoseconds: nanoseconds))"
  }
}
