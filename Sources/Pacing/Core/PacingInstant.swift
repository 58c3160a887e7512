/// A point in monotonic time, to the nanosecond.
///
/// Instants of different clocks, or of different runs of a program, are not comparable.
public struct PacingInstant: InstantProtocol, Hashable, Sendable, CustomStringConvertible {
  /// Nanoseconds since the clock's own origin.
  package let nanoseconds: Nanoseconds

  package init(nanoseconds: Nanoseconds) { self.nanoseconds = nanoseconds }

  /// The instant that is never reached.
  public static var distantFuture: PacingInstant { PacingInstant(nanoseconds: .never) }

  /// The instant, or nil for `distantFuture`.
  package var finite: PacingInstant? { self == .distantFuture ? nil : self }

  /// The wait from `now` until this instant: zero if it has passed, nil for `distantFuture`.
  package func wait(from now: PacingInstant) -> Duration? {
    finite.map { Duration.nanoseconds(max(0, $0 - now)) }
  }

  package static var distantPast: PacingInstant { PacingInstant(nanoseconds: .min) }

  /// The instant `duration` later, saturating; fractions of a nanosecond round up.
  public func advanced(by duration: Duration) -> PacingInstant {
    self + Nanoseconds(roundingUp: duration)
  }

  /// The time from this instant to `other`, negative if `other` is earlier.
  public func duration(to other: PacingInstant) -> Duration { Duration.nanoseconds(other - self) }

  /// Whether `lhs` is earlier than `rhs`.
  public static func < (lhs: PacingInstant, rhs: PacingInstant) -> Bool {
    lhs.nanoseconds < rhs.nanoseconds
  }

  package static func + (instant: PacingInstant, span: Nanoseconds) -> PacingInstant {
    PacingInstant(nanoseconds: instant.nanoseconds.adding(span))
  }

  package static func - (instant: Self, span: Nanoseconds) -> Self { instant + span.negated }

  package static func - (later: PacingInstant, earlier: PacingInstant) -> Nanoseconds {
    let (span, overflow) = later.nanoseconds.subtractingReportingOverflow(earlier.nanoseconds)
    guard overflow else { return span }
    return later < earlier ? .min : .max
  }

  /// The time since the clock's origin, or `distantFuture`.
  public var description: String {
    self == .distantFuture ? "distantFuture" : "\(Duration.nanoseconds(nanoseconds))"
  }
}
