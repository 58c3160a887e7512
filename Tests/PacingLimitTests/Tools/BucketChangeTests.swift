import Pacing
import PacingTesting
import TestSupport
import Testing

@Suite("TokenBucket: changes")
struct BucketChangeTests {
  let clock = ManualClock()

  /// Ten tokens per second, a burst of ten.
  func bucket(initial: Int = 10) -> TokenBucket {
    TokenBucket(rate: .perSecond(10), burst: 10, initial: initial, clock: clock)
  }

  func recorder() -> EventRecorder<String> { EventRecorder(clock: clock) }

  @Test("governor#39, #273: a new burst cuts the level, and mints nothing", arguments: [20, 4])
  func burst(burst: Int) {
    let bucket = bucket(initial: 6)
    bucket.reconfigure(burst: burst)
    #expect(bucket.available == min(6, burst) && bucket.rate == .perSecond(10))
    clock.advance(by: .seconds(10))
    #expect(bucket.available == burst)
  }

  @Test("a new rate keeps the level to the last fraction")
  func exactLevel() {
    let bucket = TokenBucket(rate: .perMinute(7), burst: 5, initial: 0, clock: clock)
    clock.advance(by: .seconds(1))
    bucket.reconfigure(rate: .perMinute(11))
    // 7/60 of a token are available, 53/60 are missing, and 11/60 arrive per second.
    #expect(bucket.peek().retryAfter == .nanoseconds(4_818_181_819))
    clock.advance(by: .seconds(1))
    bucket.reconfigure(rate: Rate(13, per: .seconds(17)))
    #expect(bucket.peek().retryAfter == .nanoseconds(915_384_616))
  }

  @Test("a debt that the new units have no number for stays the greatest there is")
  func endlessDebt() {
    let bucket = TokenBucket(rate: Rate(1, per: .nanoseconds(1)), burst: 1, clock: clock)
    for _ in 0..<100 { bucket.penalize(.max) }
    bucket.reconfigure(rate: Rate(1, per: .nanoseconds(Int64.max)))
    clock.advance(by: .seconds(1_000_000))
    #expect(!bucket.tryAcquire() && bucket.available < 0)
    bucket.reconfigure(rate: .perSecond(1), burst: .max)
    #expect(!bucket.tryAcquire())
    bucket.reset()
    #expect(bucket.tryAcquire())
  }

  @Test("there and back again a thousand times, nothing is minted and nothing is lost")
  func manyChanges() {
    let bucket = TokenBucket(rate: .perSecond(3), burst: 1_000_000, initial: 0, clock: clock)
    for round in 0..<999 {
      bucket.reconfigure(rate: .perSecond([3, 7, 11][round % 3]))
      clock.advance(by: .seconds(1))
    }
    #expect(bucket.available == 333 * 21)
  }

  @Test("waiters are served at the new rate, in order")
  func waiters() {
    let bucket = bucket(initial: 0)
    let recorder = recorder()
    for name in ["a", "b"] { _ = bucket.acquire(5) { _ in recorder.record(name) } }
    clock.advance(by: .milliseconds(100))
    bucket.reconfigure(rate: .perSecond(100))
    clock.advance(by: .milliseconds(40))
    #expect(recorder.values == ["a"])
    clock.advance(by: .milliseconds(50))
    #expect(recorder.values == ["a", "b"])
    #expect(clock.pendingCount == 0)
  }

  @Test("resilience4j#1283: a waiter that comes too late is refused at its deadline, or at once")
  func hopeless() {
    let bucket = bucket(initial: 0)
    let recorder = recorder()
    _ = bucket.acquire(5, within: .milliseconds(600)) {
      if case .failure(let error) = $0 { recorder.record("timed \(error.reason)") }
    }
    _ = bucket.acquire(8) {
      if case .failure(let error) = $0 { recorder.record("large \(error.reason)") }
    }
    _ = bucket.acquire(2) { _ in recorder.record("small") }
    bucket.reconfigure(rate: .perSecond(5), burst: 5)
    clock.runReady()
    #expect(recorder.values == ["large exceeds burst"])
    clock.advance(by: .milliseconds(599))
    #expect(bucket.waitingCount == 2)
    clock.advance(by: .milliseconds(1))
    #expect(recorder.values == ["large exceeds burst", "timed deadline", "small"])
  }

  @Test("unlimited lets everything pass, none nothing but what is there, and both end")
  func ends() {
    let bucket = bucket(initial: 3)
    bucket.reconfigure(rate: .none)
    clock.advance(by: .seconds(1_000_000))
    #expect(bucket.peek(4).retryAfter == nil)
    #expect(bucket.tryAcquire(3))
    #expect(!bucket.tryAcquire())
    let recorder = recorder()
    _ = bucket.acquire(4) { _ in recorder.record("waiter") }
    bucket.reconfigure(rate: .unlimited)
    clock.runReady()
    #expect(recorder.values == ["waiter"])
    #expect(bucket.tryAcquire(.max))
    #expect(bucket.request(1_000_000).isAllowed)
    #expect(bucket.available == 10)
    bucket.reconfigure(rate: .perSecond(10))
    #expect(bucket.take(upTo: 100) == 10)
    #expect(bucket.peek().retryAfter == .milliseconds(100))
  }

  @Test("tokens can be added, taken, drained and renewed, and waiters notice")
  func amounts() {
    let bucket = bucket(initial: 4)
    bucket.add(3)
    #expect(bucket.available == 7)
    bucket.add(.max)
    #expect(bucket.available == 10)
    bucket.penalize(15)
    #expect(bucket.available == -5)
    #expect(bucket.peek().retryAfter == .milliseconds(600))
    #expect(bucket.drain() == 0)
    #expect(bucket.available == -5)
    let recorder = recorder()
    _ = bucket.acquire(2) { _ in recorder.record("waiter") }
    bucket.add(7)
    clock.runReady()
    #expect(recorder.values == ["waiter"])
    bucket.reset()
    #expect(bucket.drain() == 10)
    #expect(bucket.available == 0)
  }

  @Test("a pause holds everyone until its end, and the bucket refills meanwhile")
  func pausing() {
    let bucket = bucket(initial: 0)
    let recorder = recorder()
    _ = bucket.acquire(2) { _ in recorder.record("waiter") }
    bucket.pause(for: .seconds(2))
    bucket.pause(for: .seconds(1))
    _ = bucket.acquire(within: .milliseconds(1999)) { recorder.record("\($0)") }
    clock.advance(by: .milliseconds(1999))
    #expect(recorder.values.count == 1, "refused at once")
    #expect(!bucket.tryAcquire())
    #expect(bucket.peek().retryAfter == .milliseconds(1))
    #expect(bucket.peek().remaining == 0)
    clock.advance(by: .milliseconds(1))
    #expect(recorder.values.last == "waiter")
    #expect(bucket.available == 8)
    bucket.pause(for: .seconds(60))
    #expect(!bucket.tryAcquire())
    #expect(bucket.tryAcquire(0))
    bucket.resume()
    #expect(bucket.tryAcquire())
    #expect(clock.pendingCount == 0)
  }

  @Test("a waiter that a pause outlasts is refused at its deadline")
  func pausingTheTimed() {
    let bucket = bucket(initial: 0)
    let recorder = recorder()
    _ = bucket.acquire(2, within: .seconds(1)) { _ in recorder.record("timed") }
    bucket.pause(for: .milliseconds(1001))
    clock.advance(by: .milliseconds(999))
    #expect(recorder.values.isEmpty && bucket.waitingCount == 1)
    clock.advance(by: .milliseconds(1))
    #expect(recorder.values == ["timed"] && bucket.waitingCount == 0)
  }

  @Test("a closed bucket grants nothing, ends streams and refuses its waiters")
  func closing() async {
    let bucket = bucket(initial: 1)
    let recorder = recorder()
    _ = bucket.acquire(2) { recorder.record("\($0)") }
    var ticks = bucket.ticks().makeAsyncIterator()
    bucket.close()
    clock.runReady()
    #expect(recorder.values == ["failure(Pacing.AcquireError.closed)"])
    #expect(await ticks.next() == nil)
    #expect(!bucket.tryAcquire())
    #expect(bucket.request().retryAfter == nil)
    await #expect(throws: AcquireError.closed) { try await bucket.acquire() }
    #expect(clock.pendingCount == 0)
  }

  @Test("counts what it grants, refuses and gives back")
  func statistics() {
    let bucket = bucket()
    _ = bucket.tryAcquire(4)
    _ = bucket.tryAcquire(7)
    _ = bucket.request(7)
    _ = bucket.take(upTo: 3)
    bucket.acquire(3) { try? $0.get().cancel() }
    clock.runReady()
    bucket.acquire(5) { _ in }.cancel()
    #expect(bucket.statistics.granted == 3)
    #expect(bucket.statistics.refused == 2)
    #expect(bucket.statistics.withdrawn == 1)
    #expect(bucket.statistics.tokens == 7)
    bucket.reconfigure(rate: .perMinute(90))
    #expect(bucket.rate == .perMinute(90))
    let burst = bucket.burst
    bucket.reconfigure(burst: burst + 1)
    #expect(bucket.burst == burst + 1 && bucket.rate == .perMinute(90))
    _ = bucket.acquire(5) { _ in }
    bucket.close()
    #expect(bucket.statistics.refused == 3, "who waited was refused")
    #expect(bucket.statistics.withdrawn == 1)
  }
}
