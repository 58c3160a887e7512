import Dispatch
import Pacing

extension HotPath {
  /// A bucket that is never empty while the program runs, and one that stays empty.
  private static let open = Limit.tokenBucket(rate: .perSecond(1_000_000_000), burst: 1_000_000_000)
  private static let empty = Limit.tokenBucket(rate: .every(long), burst: 1, initial: 0)

  private static var openBucket: TokenBucket {
    TokenBucket(rate: .perSecond(1_000_000_000), burst: 1_000_000_000)
  }

  private static var emptyBucket: TokenBucket {
    TokenBucket(rate: .every(long), burst: 1, initial: 0)
  }

  static let limits: Paths = [
    "TokenBucket.tryAcquire-allow": { tryAcquire(openBucket, isAllowed: true) },
    "TokenBucket.tryAcquire-deny": { tryAcquire(emptyBucket, isAllowed: false) },
    "TokenBucket.request-allow": { request(openBucket, isAllowed: true) },
    "TokenBucket.request-deny": { request(emptyBucket, isAllowed: false) },
    "TwoBuckets.tryAcquire-allow": { tryAcquire(RateLimiter(open, open), isAllowed: true) },
    "TwoBuckets.tryAcquire-deny": { tryAcquire(RateLimiter(open, empty), isAllowed: false) },
    "TwoBuckets.request-allow": { request(RateLimiter(open, open), isAllowed: true) },
    "TwoBuckets.request-deny": { request(RateLimiter(open, empty), isAllowed: false) },
    "TwoBuckets.tryAcquire-costs": {
      let limiter = RateLimiter(open.named(.requests), open.named(.tokens))
      return { for _ in 0..<$0 { precondition(limiter.tryAcquire([.requests: 1, .tokens: 2])) } }
    },
    "SlidingWindow.tryAcquire-allow": {
      tryAcquire(RateLimiter(.slidingWindow(1_000_000_000, per: long)), isAllowed: true)
    },
    "SlidingWindow.tryAcquire-deny": {
      tryAcquire(spent(RateLimiter(.slidingWindow(1, per: long))), isAllowed: false)
    },
  ]

  static let waits: Paths = [
    "TokenBucket.acquire": {
      let bucket = openBucket
      return inTask { try await bucket.acquire() }
    },
    "TokenBucket.wait+grant": {
      let (bucket, granted) = (emptyBucket, DispatchSemaphore(value: 0))
      return { count in
        for _ in 0..<count {
          bucket.acquire { _ in granted.signal() }
          bucket.add(1)
          granted.wait()
        }
      }
    },
    "TokenBucket.join+leave": { joinAndLeave(emptyBucket, behind: 10_000) },
    "TokenBucket.join+leave-within": {
      joinAndLeave(emptyBucket, behind: 10_000, within: long * 20_000)
    },
    "TwoBuckets.join+leave": { joinAndLeave(RateLimiter(empty, empty), behind: 10_000) },
    "FixedWindow.join+leave": {
      joinAndLeave(spent(RateLimiter(.fixedWindow(1, per: long))), behind: 10_000)
    },
    "SlidingWindow.join+leave": {
      joinAndLeave(spent(RateLimiter(.slidingWindow(1, per: long))), behind: 10_000)
    },
  ]

  static let permits: Paths = [
    "ConcurrencyLimit.tryAcquire+release": {
      let limit = ConcurrencyLimit(1)
      return { for _ in 0..<$0 { limit.tryAcquire()!.release() } }
    },
    "ConcurrencyLimit.tryAcquire-deny": {
      let limit = ConcurrencyLimit(1)
      let permit = limit.tryAcquire()
      return { count in
        for _ in 0..<count { precondition(limit.tryAcquire() == nil) }
        permit?.release()
      }
    },
    "ConcurrencyLimit.withPermit": {
      let limit = ConcurrencyLimit(1)
      return inTask { try await limit.withPermit {} }
    },
    "ConcurrencyLimit.join+leave": {
      let limit = ConcurrencyLimit(1)
      let permit = limit.tryAcquire()
      for _ in 0..<10_000 { limit.acquire { _ in } }
      return { count in
        for _ in 0..<count { precondition(limit.acquire { _ in }.cancel()) }
        permit?.release()
      }
    },
  ]

  static let keyedLimits: Paths = [
    "KeyedRateLimiter.tryAcquire": {
      let limiter = openKeys
      return { for number in 0..<$0 { precondition(limiter.tryAcquire(for: number % 1_000)) } }
    },
    "KeyedRateLimiter.request": {
      let limiter = openKeys
      return {
        for number in 0..<$0 { precondition(limiter.request(for: number % 1_000).isAllowed) }
      }
    },
    "KeyedRateLimiter.acquire": {
      let limiter = openKeys
      return inTask { try await limiter.acquire(for: 1) }
    },
    "KeyedRateLimiter.join+leave": {
      let limiter = KeyedRateLimiter<Int>(rate: .every(long), burst: 1, maximumKeys: 2_000)
      precondition(limiter.tryAcquire(for: 1))
      for _ in 0..<10_000 { limiter.acquire(for: 1) { _ in } }
      return { count in
        for _ in 0..<count { precondition(limiter.acquire(for: 1) { _ in }.cancel()) }
      }
    },
  ]

  private static var openKeys: KeyedRateLimiter<Int> {
    KeyedRateLimiter(rate: .every(long), burst: 1_000_000, maximumKeys: 2_000)
  }

  private static func tryAcquire(_ limit: TokenBucket, isAllowed: Bool) -> (Int) -> Void {
    { for _ in 0..<$0 { precondition(limit.tryAcquire() == isAllowed) } }
  }

  private static func tryAcquire(_ limit: RateLimiter, isAllowed: Bool) -> (Int) -> Void {
    { for _ in 0..<$0 { precondition(limit.tryAcquire() == isAllowed) } }
  }

  private static func request(
    _ limit: some LimitingTool, isAllowed: Bool
  ) -> (Int) -> Void {
    { for _ in 0..<$0 { precondition(limit.request().isAllowed == isAllowed) } }
  }

  private static func spent(_ limit: RateLimiter) -> RateLimiter {
    precondition(limit.tryAcquire())
    return limit
  }

  private static func joinAndLeave(
    _ limit: some LimitingTool, behind count: Int, within timeout: Duration? = nil
  ) -> (Int) -> Void {
    for _ in 0..<count { limit.acquire { _ in } }
    return { count in
      for _ in 0..<count { precondition(limit.acquire(within: timeout) { _ in }.cancel()) }
    }
  }
}
