import Pacing
import PacingTesting

/// The limits with common verbs, each tested by the same suite.
enum LimitKind: CaseIterable, Sendable {
  case bucket
  case limiter

  /// A limit of ten per second.
  func make(
    burst: Int, initial: Int? = nil, queue: QueuePolicy = .unlimited, clock: ManualClock
  ) -> any LimitingTool {
    switch self {
    case .bucket:
      TokenBucket(rate: .perSecond(10), burst: burst, initial: initial, queue: queue, clock: clock)
    case .limiter:
      RateLimiter(
        .tokenBucket(rate: .perSecond(10), burst: burst, initial: initial),
        .slidingWindow(1000, per: .seconds(1)), queue: queue, clock: clock)
    }
  }
}
