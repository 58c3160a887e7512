package import Pacing

extension PacingInstant {
  /// The instant that many milliseconds after a manual clock's beginning.
  package static func at(_ milliseconds: Int) -> PacingInstant {
    PacingInstant(nanoseconds: Nanoseconds(milliseconds) * 1_000_000)
  }

  /// The whole milliseconds since a manual clock's beginning.
  package var milliseconds: Int { Int(nanoseconds / 1_000_000) }
}
