/// The time at which a key's bucket is full, to a fraction of a nanosecond: all that is stored of a
/// key.
///
/// The fraction is in units of the key's rate, so nothing is rounded.
struct KeyStamp {
  let nanoseconds: Nanoseconds
  let parts: UInt32

  static var full: KeyStamp { KeyStamp(nanoseconds: .min, parts: 0) }

  /// The first instant at which the bucket is full.
  @inline(__always)
  var fullAt: PacingInstant {
    PacingInstant(nanoseconds: parts == 0 ? nanoseconds : nanoseconds.adding(1))
  }

  @inline(__always)
  func isFull(at now: PacingInstant) -> Bool {
    nanoseconds < now.nanoseconds || nanoseconds == now.nanoseconds && parts == 0
  }

  func isBefore(_ other: KeyStamp) -> Bool {
    (nanoseconds, parts) < (other.nanoseconds, other.parts)
  }
}
