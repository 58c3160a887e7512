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
    let (seconds, attoseconds) = duration.components
    let (whole, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
    let limit: Nanoseconds = seconds < 0 ? .min : .max
    guard !overflow else {
      self = limit
      return
    }
    // The quotient truncates towards zero, which is up for a negative duration.
    let (quotient, remainder) = attoseconds.quotientAndRemainder(dividingBy: 1_000_000_000)
    let (sum, carry) = whole.addingReportingOverflow(quotient + (remainder > 0 ? 1 : 0))
    self = carry ? limit : sum
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
