import Pacing
import PacingTesting

/// A limit of any kind, under test.
enum LimitSubject {
  /// What was granted, to be settled, cancelled or released.
  enum Spent {
    case charge(Charge)
    case permit(Permit)
  }

  case bucket(TokenBucket)
  case limiter(RateLimiter)
  case permits(ConcurrencyLimit)

  /// The limit, if it is a rate limit.
  var tool: (any LimitingTool)? {
    switch self {
    case .bucket(let bucket): bucket
    case .limiter(let limiter): limiter
    case .permits: nil
    }
  }

  /// Requests a cost, within a number of nanoseconds; a permit counts from the clock's instant.
  func acquire(
    _ costs: Costs, within timeout: Int?, clock: ManualClock,
    completion: @escaping @Sendable (Result<(Spent, PacingInstant), AcquireError>) -> Void
  ) -> Acquisition {
    let timeout = timeout.map { Duration.nanoseconds($0) }
    if case .permits(let limit) = self {
      return limit.acquire(costs, within: timeout) { result in
        completion(result.map { (.permit($0), clock.now) })
      }
    }
    return tool!.acquire(costs, within: timeout) { result in
      completion(result.map { (.charge($0), $0.instant) })
    }
  }

  var waitingCount: Int {
    if case .permits(let limit) = self { limit.waitingCount } else { tool!.waitingCount }
  }

  func close() {
    if case .permits(let limit) = self { limit.close() } else { tool!.close() }
  }
}

extension OraclePart {
  /// The rate of a bucket.
  var rate: Rate {
    gain == 0 ? .none : Rate(gain, per: .nanoseconds(Self.token))
  }

  /// The settings of the part, for a log.
  var text: String {
    let name = name.map { "\($0) " } ?? ""
    return name
      + (isWindow
        ? "\(kind) \(size) per \(length)"
        : "\(kind) of \(size), \(gain) twelfths, at \(level)")
  }

  /// The settings of the part.
  var limit: Limit {
    let limit: Limit =
      switch kind {
      case .bucket, .nextPays, .permits: .tokenBucket(rate: rate, burst: size)
      case .sliding: .slidingWindow(size, per: .nanoseconds(length))
      case .fixed: .fixedWindow(size, per: .nanoseconds(length))
      case .grid: .fixedWindow(size, per: .nanoseconds(length), fromCreation: true)
      }
    return name.map { limit.named($0) } ?? limit
  }
}
