import Pacing

/// The unit of a case's times.
struct TimeUnit: Hashable, Sendable {
  /// The unit in nanoseconds.
  let length: Int64

  static let seconds = TimeUnit(length: 1_000_000_000)
  static let milliseconds = TimeUnit(length: 1_000_000)
  static let nanoseconds = TimeUnit(length: 1)

  /// The nearest nanosecond, saturating; a positive value stays positive.
  func nanoseconds(_ value: JSON) -> Nanoseconds? {
    switch value {
    case .integer(let units):
      return units.multiplied(by: length)
    case .number(let units):
      let exact = units * Double(length)
      guard abs(exact) < 0x1p63 else { return exact < 0 ? .min : .never }
      return units > 0 ? max(1, Nanoseconds(exact.rounded())) : Nanoseconds(exact.rounded())
    default:
      return nil
    }
  }

  /// Whether a measured span equals the stated number, to the nanosecond.
  ///
  /// A number between two nanoseconds matches either.
  func isMet(_ stated: JSON, by span: Nanoseconds, tolerance: Nanoseconds) -> Bool {
    guard let nearest = nanoseconds(stated) else { return false }
    let (difference, isBeyondAll) = span.subtractingReportingOverflow(nearest)
    if !isBeyondAll, difference.magnitude <= tolerance.magnitude { return true }
    guard case .number(let units) = stated else { return false }
    let exact = units * Double(length)
    // The last digits of a product are no fraction.
    let isBetween = abs(exact - exact.rounded()) > 4 * exact.ulp
    return isBetween && abs(Double(span) - exact) < 1
  }

  /// A span in the notation of a case.
  func text(_ span: Nanoseconds) -> String {
    let (whole, rest) = span.quotientAndRemainder(dividingBy: length)
    return rest == 0 ? "\(whole)" : "\(Double(span) / Double(length))"
  }
}
