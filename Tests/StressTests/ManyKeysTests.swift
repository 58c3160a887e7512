import Pacing
import TestSupport
import Testing

/// 12,500 keys per run, and a million with `PACING_SOAK=80`.
@Suite("KeyedRateLimiter: very many keys", .alone)
struct ManyKeysTests {
  @Test("each has a bucket of its own, and as many more that are invented change nothing")
  func many() {
    let count = 12_500 * min(80, Soak.scale)
    // With some slack, because keys are not spread evenly over the parts.
    let maximum = count + count / 10
    let limiter = KeyedRateLimiter<Int>(
      rate: .perHour(1), burst: 1, maximumKeys: maximum, whenFull: .refuse)
    var granted = 0
    for key in 0..<count where limiter.tryAcquire(for: key) { granted += 1 }
    #expect(granted == count && limiter.keyCount == count)
    for key in stride(from: 0, to: count, by: 7) where limiter.tryAcquire(for: key) {
      Issue.record("key \(key) was granted twice")
    }
    for key in count..<2 * count where limiter.tryAcquire(for: key) { granted += 1 }
    #expect(granted == limiter.keyCount && limiter.keyCount <= maximum)
  }
}
