public import Pacing

/// Writes the fields of a server's limits, with their constant part computed once.
///
/// Keep one writer next to the limiter: each response then costs two short strings.
///
/// ```swift
/// let limit = Limit.tokenBucket(rate: .perSecond(5), burst: 10).named("user")
/// let writer = RateLimitWriter(limit)
/// for (name, value) in writer.fields(for: limiter.request()) {
///   response.headers[name] = value
/// }
/// ```
///
/// For a `RateLimiter` with several limits, pass all of them, and the decisions of `requestEach`.
public struct RateLimitWriter: Sendable {
  /// The value of `RateLimit-Policy`.
  public let policy: String

  private let parts: [Part]

  /// The constant part of a limit's item in `RateLimit`.
  private struct Part: Sendable {
    /// The quoted name and the start of the first parameter.
    let prefix: [UInt8]
    /// How long before a bucket is full it has a unit; nil for a window.
    let lead: Duration?
  }

  /// Creates a writer for one limit or several.
  ///
  /// - Parameter limits: The limits, in the order of their decisions.
  public init(_ limits: Limit...) {
    self.init(limits)
  }

  /// As `init(_:)` with variadic limits, for an array.
  public init(_ limits: [Limit]) {
    let names = limits.fieldNames
    policy = zip(limits, names).map { QuotaPolicy($0, named: $1).text }.joined(separator: ", ")
    parts = zip(limits, names).map {
      Part(prefix: Array((StructuredField.quoted($1) + ";r=").utf8), lead: $0.lead)
    }
  }

  /// The fields for a decision: `RateLimit-Policy`, `RateLimit` and, after a refusal,
  /// `Retry-After`.
  ///
  /// - Parameter decision: The limit's decision.
  /// - Returns: Names and values.
  /// - Precondition: There is a limit.
  public func fields(for decision: Decision) -> [(name: String, value: String)] {
    let value = item(parts[0], decision)
    guard !decision.isAllowed, let retryAfter = decision.retryAfter else {
      return [("RateLimit-Policy", policy), ("RateLimit", value)]
    }
    return [
      ("RateLimit-Policy", policy), ("RateLimit", value),
      ("Retry-After", StructuredField.seconds(retryAfter)),
    ]
  }

  /// As `fields(for:)` for one decision, for those of several limits in their order.
  public func fields(
    for decisions: some Collection<Decision>
  ) -> [(name: String, value: String)] {
    let values = zip(parts, decisions).map { item($0, $1) }
    var fields = [(name: "RateLimit-Policy", value: policy)]
    fields.append((name: "RateLimit", value: values.joined(separator: ", ")))
    if let longest = decisions.longestWait {
      fields.append((name: "Retry-After", value: StructuredField.seconds(longest)))
    }
    return fields
  }

  /// An item of `RateLimit`.
  private func item(_ part: Part, _ decision: Decision) -> String {
    let remaining = UInt64(min(max(0, Int64(decision.remaining)), StructuredField.largest))
    let window = decision.effectiveWindow(lead: part.lead)
    let seconds = UInt64(StructuredField.wholeSeconds(window))
    let prefix = part.prefix
    // Two numbers of at most fifteen digits, and three bytes between them.
    return unsafe String(unsafeUninitializedCapacity: prefix.count + 33) { buffer in
      var count = 0
      for byte in prefix {
        unsafe buffer[count] = byte
        count += 1
      }
      func write(_ number: UInt64) {
        var digits = 1
        var bound: UInt64 = 10
        while number >= bound {
          digits += 1
          bound *= 10
        }
        var rest = number
        for place in stride(from: count + digits - 1, through: count, by: -1) {
          unsafe buffer[place] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10)
          rest /= 10
        }
        count += digits
      }
      write(remaining)
      for byte in [UInt8(ascii: ";"), UInt8(ascii: "t"), UInt8(ascii: "=")] {
        unsafe buffer[count] = byte
        count += 1
      }
      write(seconds)
      return count
    }
  }
}

extension Decision {
  /// The time during which a client may use no more than what remains.
  ///
  /// If nothing remains, a compliant client waits that long: until a bucket has a unit.
  func effectiveWindow(lead: Duration?) -> Duration {
    guard isAllowed else { return retryAfter ?? resetAfter }
    return remaining > 0 ? resetAfter : max(.zero, resetAfter - (lead ?? .zero))
  }
}
