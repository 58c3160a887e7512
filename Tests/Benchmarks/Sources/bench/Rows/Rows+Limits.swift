import Pacing

extension Rows {
  static var limits: [Row] {
    let open = TokenBucket(rate: .perSecond(1_000_000_000), burst: 1_000_000_000)
    let empty = TokenBucket(rate: .every(.seconds(86_400)), burst: 1)
    _ = empty.tryAcquire()
    return [
      Row("TokenBucket.tryAcquire allow", count: 20_000) { count in
        var allowed = 0
        for _ in 0..<count where open.tryAcquire() { allowed += 1 }
        precondition(allowed == count)
      },
      Row("TokenBucket.tryAcquire deny", count: 20_000) { count in
        var allowed = 0
        for _ in 0..<count where empty.tryAcquire() { allowed += 1 }
        precondition(allowed == 0)
      },
      Row("TokenBucket.request deny", count: 20_000) { count in
        for _ in 0..<count { consume(empty.request().retryAfter) }
      },
    ]
  }
}
