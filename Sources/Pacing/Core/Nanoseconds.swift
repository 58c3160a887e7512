/// A span of time in whole nanoseconds, the unit of all calculations.
///
/// `Duration` is the unit of the public interface; each tool converts its settings once. 2^63 - 1
/// ns, 292 years, means "never".
package typealias Nanoseconds = Int64

extension Nanoseconds {
  /// The span after which no timer fires.
  package static var never: Nanoseconds { .max }

  /// The duration in whole nanoseconds, rounded up, saturating: for waits.
  package init(roundingUp duration: Duration) {
    // Not by `components`, which trap if the seconds do not fit in 64 bits. The quotient truncates
    // towards zero, which is up for a negative duration.
    let (quotient, remainder) = duration.attoseconds.quotientAndRemainder(dividingBy: 1_000_000_000)
    self = Nanoseconds(clamping: quotient + (remainder > 0 ? 1 : 0))
  }

  /// The duration in whole nanoseconds, rounded down, saturating: for readings of a clock.
  package init(roundingDown duration: Duration) {
    let (quotient, remainder) = duration.attoseconds.quotientAndRemainder(dividingBy: 1_000_000_000)
    self = Nanoseconds(clamping: quotient - (remainder < 0 ? 1 : 0))
  }

  /// As `init(roundingUp:)`, but zero for a negative duration.
  package init(wait duration: Duration) { self = Swift.max(0, Nanoseconds(roundingUp: duration)) }

  /// The product, saturating.
  package func multiplied(by factor: Int64) -> Nanoseconds {
    let (product, overflow) = multipliedReportingOverflow(by: factor)
    guard overflow else { return product }
    return (self < 0) == (factor < 0) ? .max : .min
  }
}

extension FixedWidthInteger where Self: SignedInteger {
  /// The negated number, saturating.
  package var negated: Self { self == .min ? .max : -self }

  /// The remainder of a division that rounds down: never negative for a positive divisor.
  package func remainder(dividingBy divisor: Self) -> Self {
    let remainder = self % divisor
    return remainder < 0 ? remainder + divisor : remainder
  }

  /// The sum, saturating.
  package func adding(_ other: Self) -> Self {
    let (sum, overflow) = addingReportingOverflow(other)
    guard overflow else { return sum }
    return other < 0 ? .min : .max
  }
}
