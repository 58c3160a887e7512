internal import Pacing

extension [Limit] {
  /// The names of the limits in fields: "default" for the first unnamed limit, "default-2" and so
  /// on for the others.
  var fieldNames: [String] {
    var unnamed = 0
    return map { limit in
      if let name = limit.name { return name.description }
      unnamed += 1
      return unnamed == 1 ? "default" : "default-\(unnamed)"
    }
  }
}

extension Limit {
  /// The time to refill the whole capacity; nil if that is instantaneous or never happens.
  var window: Duration? {
    switch kind {
    case .tokenBucket(let rate, let burst, _): rate.time(tokens: burst, .up)
    case .fixedWindow(_, let window, _), .slidingWindow(_, let window): window
    }
  }

  /// How long before a bucket is full it has a unit; nil for a window.
  var lead: Duration? {
    switch kind {
    case .tokenBucket(let rate, let burst, _): rate.time(tokens: burst - 1, .down)
    case .fixedWindow, .slidingWindow: nil
    }
  }
}

extension Rate {
  fileprivate func time(
    tokens count: Int, _ rounding: FloatingPointRoundingRule
  ) -> Duration? {
    guard self != .unlimited, self != .none else { return nil }
    let units = Int128(count) * Int128(nanoseconds)
    let (time, rest) = units.quotientAndRemainder(dividingBy: Int128(tokens))
    let isUp = rest > 0 && rounding == .up
    return Duration.nanoseconds(Nanoseconds(clamping: time + (isUp ? 1 : 0)))
  }
}
