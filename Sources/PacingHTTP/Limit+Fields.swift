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
    case .tokenBucket(let rate, let burst, _): rate.time(tokens: burst)
    case .fixedWindow(_, let window, _), .slidingWindow(_, let window): window
    }
  }

  /// The time until one more unit is available; nil for windows, which have no such interval.
  var interval: Duration? {
    switch kind {
    case .tokenBucket(let rate, _, _): rate.time(tokens: 1)
    case .fixedWindow, .slidingWindow: nil
    }
  }
}

extension Rate {
  fileprivate func time(tokens count: Int) -> Duration? {
    guard self != .unlimited, self != .none else { return nil }
    let units = Int128(count) * Int128(nanoseconds)
    let (time, rest) = units.quotientAndRemainder(dividingBy: Int128(tokens))
    return Duration.nanoseconds(Nanoseconds(clamping: time + (rest > 0 ? 1 : 0)))
  }
}
