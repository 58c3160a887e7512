import Pacing
import PacingTesting
import TestSupport
import Testing

/// `hashValue` has as many bits as `Int`: 32 on watchOS.
@Suite("KeyedRateLimiter: hashes of 32 bits")
struct NarrowHashTests {
  struct Key: Hashable, Sendable {
    let number: Int

    var hashValue: Int {
      var random = SplitMix64(seed: UInt64(number))
      return Int(Int32(truncatingIfNeeded: random.next()))
    }

    func hash(into hasher: inout Hasher) { hasher.combine(number) }
  }

  let clock = ManualClock()

  @Test("no key is forgotten before its bucket is full", arguments: [20_000, 90_000])
  func memory(count: Int) {
    let limiter = KeyedRateLimiter<Key>(
      rate: .perHour(1), burst: 1, maximumKeys: 100_000, clock: clock)
    let granted = (0..<2).map { _ in (0..<count).count { limiter.tryAcquire(for: Key(number: $0)) }
    }
    #expect(granted == [count, 0])
    #expect(limiter.keyCount == count && limiter.forgottenCount == 0)
  }

  @Test("decide as hashes of 64 bits do", arguments: Soak.seeds(10))
  func decisions(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    let quota = Quota(rate: .perSecond(3), burst: 5)
    let narrow = KeyedRateLimiter<Key>(maximumKeys: 20_000, clock: clock) { _ in quota }
    let wide = KeyedRateLimiter<Int>(maximumKeys: 20_000, clock: clock) { _ in quota }
    for step in 0..<10_000 {
      let numbers = (0..<3).map { _ in Int.random(in: 0..<3000, using: &random) }
      let (number, cost) = (numbers[0], Int.random(in: 0...5, using: &random))
      let key = Key(number: number)
      let isSame: Bool
      switch Int.random(in: 0..<10, using: &random) {
      case 0:
        narrow.reset(key)
        wide.reset(number)
        isSame = narrow.available(for: key) == wide.available(for: number)
      case 1:
        narrow.penalize(cost, for: key)
        wide.penalize(cost, for: number)
        isSame = narrow.available(for: key) == wide.available(for: number)
      case 2:
        let length = Duration.milliseconds(cost * 20)
        isSame = narrow.pause(key, for: length) == wide.pause(number, for: length)
      case 3:
        // The decision is that of the strictest key; of equally strict ones, any.
        let keys = numbers.map { Key(number: $0) }
        let pair = (
          narrow.request(cost, for: keys).decision, wide.request(cost, for: numbers).decision
        )
        isSame =
          pair.0.isAllowed == pair.1.isAllowed && pair.0.retryAfter == pair.1.retryAfter
          && (!pair.0.isAllowed || pair.0.remaining == pair.1.remaining)
      case 4:
        clock.advance(by: .milliseconds(cost))
        isSame = true
      default:
        isSame = narrow.request(cost, for: key) == wide.request(cost, for: number)
      }
      guard isSame else {
        Issue.record("step \(step) of seed \(seed) differs for \(numbers), cost \(cost)")
        return
      }
    }
  }
}
