package import Pacing

extension PacingInstant {
  /// The instant `milliseconds` after the origin of a manual clock.
  package static func at(_ milliseconds: Int) -> PacingInstant {
    PacingInstant(nanoseconds: Nanoseconds(milliseconds) * 1_000_000)
  }

  /// The whole milliseconds since the origin of a manual clock.
  package var milliseconds: Int { Int(nanoseconds / 1_000_000) }
}
