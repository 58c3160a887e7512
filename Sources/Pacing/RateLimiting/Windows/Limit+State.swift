extension Limit {
  /// The same limit with nothing spent at creation.
  var full: Limit {
    guard case .tokenBucket(let rate, let burst, _) = kind else { return self }
    return .tokenBucket(rate: rate, burst: burst)
  }

  func makeState(at now: PacingInstant) -> any LimitState {
    switch kind {
    case .tokenBucket(let rate, let burst, let initial):
      BucketLevel(rate: rate, burst: burst, initial: initial, at: now)
    case .fixedWindow(let count, let window, let start):
      FixedWindowState(count, per: Nanoseconds(roundingUp: window), from: start, at: now)
    case .slidingWindow(let count, let window):
      SlidingWindowState(count, per: Nanoseconds(roundingUp: window))
    }
  }
}
