import Pacing
import PacingTesting
import TestSupport
import Testing

extension LoadTests {
  /// An hour of virtual time, with a new key every few milliseconds.
  @Suite("Load: a million keys")
  struct KeyLoad {
    private let seconds = 3600
    private let perSecond = max(1, LoadTests.count(1_000_000) / 3600)

    @Test("an hour of debounced keys: each is delivered once, when it is due, and then forgotten")
    func debouncer() async {
      await LoadTests.memory("\(seconds * perSecond) debounced keys") {
        let clock = ManualClock()
        let delivered = Counter()
        let debouncer = KeyedDebouncer<Int, PacingInstant>(for: .seconds(10), clock: clock) {
          _, sent in
          if sent.duration(to: clock.now) != .seconds(10) { Issue.record("not in time") }
          delivered.add()
        }
        var most = 0
        for second in 0..<seconds {
          for index in 0..<perSecond {
            debouncer.send(clock.now, for: second * perSecond + index)
          }
          clock.advance(by: .seconds(1))
          most = max(most, debouncer.keyCount)
        }
        clock.advance(by: .seconds(10))
        #expect(delivered.value == seconds * perSecond)
        #expect(most <= 11 * perSecond)
        #expect(debouncer.keyCount == 0 && clock.pendingCount == 0)
      }
    }

    @Test(
      "an hour of limited keys: each has its burst, and those that are full again leave",
      arguments: [false, true])
    func limiter(hasWindows: Bool) async {
      let name = hasWindows ? "keys with windows" : "limited keys"
      await LoadTests.memory("\(seconds * perSecond) \(name)") {
        let clock = ManualClock()
        let maximumKeys = 4 * perSecond + 5000
        let limiter =
          hasWindows
          ? KeyedRateLimiter<Int>(maximumKeys: maximumKeys, clock: clock) { _ in
            [.slidingWindow(2, per: .seconds(2))]
          }
          : KeyedRateLimiter(rate: .perSecond(1), burst: 2, maximumKeys: maximumKeys, clock: clock)
        for second in 0..<seconds {
          for index in 0..<perSecond {
            let key = second * perSecond + index
            let granted = (0..<3).count(where: { _ in limiter.tryAcquire(for: key) })
            if granted != 2 { Issue.record("key \(key): \(granted)") }
          }
          clock.advance(by: .seconds(1))
        }
      }
    }
  }
}
