public import Pacing

/// The fields of a server's limits, whose constant part is made once.
///
/// Keep one next to the limiter: each answer then costs two short strings.
///
/// ```swift
/// let limit = Limit.tokenBucket(rate: .perSecond(5), burst: 10).named("user")
/// let writer = RateLimitWriter(limit)
/// for (name, value) in writer.fields(for: limiter.request()) {
///   response.headers[name] = value
/// }
/// ```
///
/// For a `RateLimiter` of several limits, give it all of them and what `requestEach` answers.
public struct RateLimitWriter: Sendable {
  /// The value of `RateLimit-Policy`.
  public let policy: String

  private let parts: [Part]

  /// What is constant in a limit's item of `RateLimit`.
  private struct Part: Sendable {
    /// The quoted name and the beginning of the first parameter.
    let prefix: [UInt8]
    /// The time in which one more comes, nil if the limit does not tell.
    let interval: Duration?
  }

  /// Makes the constant part of one limit's fields, or of several.
  ///
  /// - Parameter limits: The limits, in the order of the decisions to be written.
  public init(_ limits: Limit...) {
    self.init(limits)
  }

  /// Makes the constant part of the fields of several limits.
  ///
  /// - Parameter limits: The limits, in the order of the decisions to be written.
  public init(_ limits: [Limit]) {
    let names = limits.fieldNames
    policy = zip(limits, names).map { QuotaPolicy($0, named: $1).text }.joined(separator: ", ")
    parts = zip(limits, names).map {
      Part(prefix: Array((StructuredField.quoted($1) + ";r=").utf8), interval: $0.interval)
    }
  }

  /// The fields of an answer: `RateLimit-Policy`, `RateLimit` and, if it is a refusal,
  /// `Retry-After`.
  ///
  /// - Parameter decision: The answer of the limit.
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

  /// The fields of an answer of several limits.
  ///
  /// - Parameter decisions: What each limit answered, in their order.
  /// - Returns: Names and values.
  public func fields(
    for decisions: some Collection<Decision>
  ) -> [(name: String, value: String)] {
    let values = zip(parts, decisions).map { item($0, $1) }
    let refusals = decisions.filter { !$0.isAllowed }
    let waits = refusals.compactMap(\.retryAfter)
    var fields = [(name: "RateLimit-Policy", value: policy)]
    fields.append((name: "RateLimit", value: values.joined(separator: ", ")))
    // Of several waits the longest; of those without an end there is none to write.
    if waits.count == refusals.count, let longest = waits.max() {
      fields.append((name: "Retry-After", value: StructuredField.seconds(longest)))
    }
    return fields
  }

  /// An item of `RateLimit`.
  private func item(_ part: Part, _ decision: Decision) -> String {
    let remaining = UInt64(min(max(0, decision.remaining), StructuredField.largest))
    let window = decision.effectiveWindow(interval: part.interval)
    let seconds = UInt64(StructuredField.wholeSeconds(window))
    let prefix = part.prefix
    // Two numbers of at most fifteen digits, and what is between them.
    return String(unsafeUninitializedCapacity: prefix.count + 33) { buffer in
      var count = 0
      for byte in prefix {
        buffer[count] = byte
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
          buffer[place] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10)
          rest /= 10
        }
        count += digits
      }
      write(remaining)
      for byte in [UInt8(ascii: ";"), UInt8(ascii: "t"), UInt8(ascii: "=")] {
        buffer[count] = byte
        count += 1
      }
      write(seconds)
      return count
    }
  }
}

extension Decision {
  /// The time in which no more than what remains may be asked.
  ///
  /// A client that obeys waits that long with nothing left, so it is not longer than until the next
  /// token.
  func effectiveWindow(interval: Duration?) -> Duration {
    guard isAllowed else { return retryAfter ?? resetAfter }
    return remaining > 0 ? resetAfter : min(resetAfter, interval ?? resetAfter)
  }
}
