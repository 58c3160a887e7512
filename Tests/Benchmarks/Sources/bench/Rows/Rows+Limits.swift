import Pacing

extension Rows {
  static var limits: [Row] {
    decisions("", clock: .dispatch) + decisions(", coarse clock", clock: .coarse)
      + [request] + twoBuckets + [permit]
  }

  private static var twoBuckets: [Row] {
    let open = Limit.tokenBucket(rate: .perSecond(1_000_000_000), burst: 1_000_000_000)
    let limiter = RateLimiter(open.named(.requests), open.named(.tokens))
    return [
      Row("RateLimiter.tryAcquire, two buckets, one cost", count: 20_000) { count in
        for _ in 0..<count { precondition(limiter.tryAcquire()) }
      },
      Row("RateLimiter.tryAcquire, two buckets, a cost for each", count: 20_000) { count in
        for _ in 0..<count { precondition(limiter.tryAcquire([.requests: 1, .tokens: 2])) }
      },
    ]
  }

  private static var permit: Row {
    let limit = ConcurrencyLimit(10)
    return Row("ConcurrencyLimit.withPermit", count: 20_000) { count in
      var sum = 0
      for number in 0..<count { sum &+= (try? await limit.withPermit { number }) ?? 0 }
      consume(sum)
    }
  }

  private static func decisions(_ suffix: String, clock: DispatchClock) -> [Row] {
    let open = TokenBucket(rate: .perSecond(1_000_000_000), burst: 1_000_000_000, clock: clock)
    let empty = TokenBucket(rate: .every(.seconds(86_400)), burst: 1, initial: 0, clock: clock)
    return [
      Row("TokenBucket.tryAcquire allow\(suffix)", count: 20_000) { count in
        var allowed = 0
        for _ in 0..<count where open.tryAcquire() { allowed += 1 }
        precondition(allowed == count)
      },
      Row("TokenBucket.tryAcquire deny\(suffix)", count: 20_000) { count in
        var allowed = 0
        for _ in 0..<count where empty.tryAcquire() { allowed += 1 }
        precondition(allowed == 0)
      },
    ]
  }

  private static var request: Row {
    let empty = TokenBucket(rate: .every(.seconds(86_400)), burst: 1, initial: 0)
    return Row("TokenBucket.request deny", count: 20_000) { count in
      for _ in 0..<count { precondition(empty.request().retryAfter != nil) }
    }
  }
}
