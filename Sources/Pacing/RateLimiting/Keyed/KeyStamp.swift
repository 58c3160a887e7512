/// The time at which a key's bucket is full, to a fraction of a nanosecond: with the number of its
/// quota, all that is stored of a key.
///
/// The fraction is in units of the key's rate, so nothing is rounded.
struct KeyStamp {
  let nanoseconds: Nanoseconds
  let parts: UInt32

  /// The stamp of a bucket that was always full.
  static var full: KeyStamp { KeyStamp(nanoseconds: .min, parts: 0) }

  /// The first instant at which the bucket is full.
  @inline(__always)
  var fullAt: PacingInstant {
    PacingInstant(nanoseconds: parts == 0 ? nanoseconds : nanoseconds.adding(1))
  }

  /// Whether the bucket is full at `now`.
  @inline(__always)
  func isFull(at now: PacingInstant) -> Bool {
    nanoseconds < now.nanoseconds || nanoseconds == now.nanoseconds && parts == 0
  }

  /// Whether it is full before another.
  func isBefore(_ other: KeyStamp) -> Bool {
    (nanoseconds, parts) < (other.nanoseconds, other.parts)
  }

  /// The stamp of a bucket that keeps what was spent, in tokens, as its quota changes.
  func converted(from old: Quota, to new: Quota, at now: PacingInstant) -> KeyStamp {
    // A bucket that was always full has no tokens to convert.
    guard !isFull(at: now) else { return .full }
    var level = BucketLevel(old, self)
    _ = level.reconfigure(rate: new.rate, burst: new.burst, inheriting: .spent, at: now)
    return level.stamp
  }
}

extension BucketLevel {
  /// Makes the bucket of a key.
  ///
  /// A fraction beyond the rate's units, as one of another quota may be, counts as a whole
  /// nanosecond.
  init(_ quota: Quota, _ stamp: KeyStamp) {
    self.init(scale: BucketScale(rate: quota.rate, burst: quota.burst), fullAt: 0)
    fullAt =
      scale.time(PacingInstant(nanoseconds: stamp.nanoseconds))
      + min(Int128(stamp.parts), Int128(scale.unitsPerNanosecond))
  }

  /// The time at which it is full; saturating, which loses the fraction.
  var stamp: KeyStamp {
    guard scale.unitsPerNanosecond == scale.rate.tokens else { return coarse.stamp }
    let unit = Int128(scale.unitsPerNanosecond)
    guard unit > 1 else { return KeyStamp(nanoseconds: Nanoseconds(clamping: fullAt), parts: 0) }
    let (quotient, remainder) = fullAt.quotientAndRemainder(dividingBy: unit)
    let isNegative = remainder < 0
    return KeyStamp(
      nanoseconds: Nanoseconds(clamping: quotient - (isNegative ? 1 : 0)),
      parts: UInt32(truncatingIfNeeded: remainder + (isNegative ? unit : 0)))
  }

  /// The same level in the units of its rate, rounded towards fewer tokens.
  private var coarse: BucketLevel {
    let (quotient, remainder) = fullAt.quotientAndRemainder(dividingBy: Int128(scale.fineness))
    return BucketLevel(
      scale: BucketScale(rate: scale.rate, burst: scale.burst),
      fullAt: quotient + (remainder > 0 ? 1 : 0))
  }
}
