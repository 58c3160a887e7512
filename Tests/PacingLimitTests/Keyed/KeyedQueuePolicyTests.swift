import Pacing
import PacingTesting
import TestSupport
import Testing

@Suite("KeyedRateLimiter: the policy of the queue")
struct KeyedQueuePolicyTests {
  let clock = ManualClock()
  private let told = EventRecorder<String>()

  private func limiter(_ queue: QueuePolicy, maximumKeys: Int = 10) -> KeyedRateLimiter<Int> {
    KeyedRateLimiter(
      rate: .perSecond(10), burst: 1, maximumKeys: maximumKeys, queue: queue, clock: clock)
  }

  private func ask(_ name: String, _ limiter: KeyedRateLimiter<Int>, for key: Int = 1) {
    limiter.acquire(for: key) { [told] result in
      switch result {
      case .success: told.record(name)
      case .failure(let error): told.record("\(name): \(error.reason)")
      }
    }
  }

  @Test("holds for the waiters of a paused key")
  func pausedKey() {
    let limiter = limiter(QueuePolicy(newestFirst: true))
    limiter.pause(1, for: .seconds(1))
    ask("a", limiter)
    ask("b", limiter)
    clock.advance(by: .seconds(1))
    #expect(told.values == ["b"])
    clock.advance(by: .milliseconds(100))
    #expect(told.values == ["b", "a"])
  }

  @Test("the first waiter of a paused key gives way to a newcomer, where the policy says so")
  func pausedKeyDropsOldest() {
    let limiter = limiter(QueuePolicy(maximumWaiters: 1, whenFull: .makeRoom))
    limiter.pause(1, for: .seconds(1))
    ask("a", limiter)
    ask("b", limiter)
    clock.runReady()
    #expect(told.values == ["a: queue is full"] && limiter.waitingCount == 1)
    clock.advance(by: .seconds(1))
    #expect(told.values.last == "b")
  }

  @Test("a newcomer whose own call serves the waiter ahead of it has its place")
  func placeOfOneServedLate() {
    let limiter = limiter(QueuePolicy(maximumWaiters: 1))
    #expect(limiter.tryAcquire(for: 1))
    ask("a", limiter)
    clock.lapse(by: .milliseconds(100))
    ask("b", limiter)
    #expect(limiter.statistics.refused == 0 && limiter.waitingCount == 1)
    clock.advance(by: .milliseconds(100))
    #expect(told.values == ["a", "b"])
  }

  @Test("a newcomer takes the place of the first waiter of its key, not that of another key's")
  func dropOldest() {
    let limiter = limiter(QueuePolicy(maximumWaiters: 2, whenFull: .makeRoom))
    for key in 1...2 { #expect(limiter.tryAcquire(for: key)) }
    ask("a", limiter)
    ask("b", limiter)
    ask("other", limiter, for: 2)
    ask("c", limiter)
    clock.runReady()
    #expect(told.values == ["a: queue is full"])
    #expect(limiter.waitingCount == 3 && limiter.statistics.refused == 1)
  }
}
