/// A span of time in whole nanoseconds, the unit in which every tool calculates.
///
/// `Duration` is the unit of the public interface. It costs about 20 ns to convert, so each tool
/// converts its settings once, when it is made. 2^63 - 1 ns, 292 years, stands for "never".
package typealias Nanoseconds = Int64

extension Nanoseconds {
  /// The span that no timer reaches.
  package static var never: Nanoseconds { .max }

  /// The shortest whole number of nanoseconds that is not below `duration`, saturating.
  ///
  /// Waits are rounded up, so that nothing fires early.
  package init(roundingUp duration: Duration) {
    // Not by `components`, which stop the program where the seconds do not fit in 64 bits. The
    // quotient truncates towards zero, which is up for a negative duration.
    let (quotient, remainder) = duration.attoseconds.quotientAndRemainder(dividingBy: 1_000_000_000)
    self = Nanoseconds(clamping: quotient + (remainder > 0 ? 1 : 0))
  }

  /// The longest whole number of nanoseconds that is not above `duration`, saturating.
  ///
  /// Readings of a clock are rounded down, so that nothing fires early.
  package init(roundingDown duration: Duration) {
    let (quotient, remainder) = duration.attoseconds.quotientAndRemainder(dividingBy: 1_000_000_000)
    self = Nanoseconds(clamping: quotient - (remainder < 0 ? 1 : 0))
  }

  /// As `init(roundingUp:)`, with a negative duration taken as no wait at all.
  package init(wait duration: Duration) {
    self = Swift.max(0, Nanoseconds(roundingUp: duration))
  }

  /// The product, or the nearest representable span.
  package func multiplied(by factor: Int64) -> Nanoseconds {
    let (product, overflow) = multipliedReportingOverflow(by: factor)
    guard overflow else { return product }
    return (self < 0) == (factor < 0) ? .max : .min
  }
}

extension FixedWidthInteger where Self: SignedInteger {
  /// The number of the same size and the other sign; the largest for the smallest.
  package var negated: Self { self == .min ? .max : -self }

  /// What is left over the largest multiple of `divisor` that is not above: never negative.
  package func remainder(dividingBy divisor: Self) -> Self {
    let remainder = self % divisor
    return remainder < 0 ? remainder + divisor : remainder
  }

  /// The sum, or the nearest representable number.
  package func adding(_ other: Self) -> Self {
    let (sum, overflow) = addingReportingOverflow(other)
    guard overflow else { return sum }
    return other < 0 ? .min : .max
  }
}

extension Duration {
  /// The duration of that many nanoseconds.
  package init(nanoseconds: Nanoseconds) {
    self = .nanoseconds(nanoseconds)
  }
}
