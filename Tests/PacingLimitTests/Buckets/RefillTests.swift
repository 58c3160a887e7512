import Pacing
import PacingTesting
import Testing

@Suite("Refill")
struct RefillTests {
  let clock = ManualClock()

  func bucket(first: Duration? = nil, initial: Int = 0) -> TokenBucket {
    TokenBucket(
      rate: .perSecond(30), burst: 5, initial: initial,
      refill: .stepwise(every: .milliseconds(100), first: first), clock: clock)
  }

  @Test("the tokens of a step come together, at its instant")
  func steps() {
    let bucket = bucket()
    clock.advance(by: .milliseconds(99))
    #expect(bucket.available == 0)
    #expect(bucket.request(1).retryAfter == .milliseconds(1))
    clock.advance(by: .milliseconds(1))
    #expect(bucket.available == 3)
    #expect(bucket.peek(4).retryAfter == .milliseconds(100))
    clock.advance(by: .milliseconds(150))
    #expect(bucket.available == 5)
    #expect(bucket.tryAcquire(5))
    #expect(bucket.peek().resetAfter == .milliseconds(150))
    #expect(bucket.peek(5).retryAfter == .milliseconds(150))
    clock.advance(by: .milliseconds(50))
    #expect(bucket.take(upTo: 10) == 3)
  }

  @Test("the first step may be at any time", arguments: [40, 140, -60])
  func first(milliseconds: Int) {
    let bucket = bucket(first: .milliseconds(milliseconds))
    clock.advance(by: .milliseconds(39))
    #expect(bucket.available == 0)
    clock.advance(by: .milliseconds(1))
    #expect(bucket.available == 3)
    clock.advance(by: .milliseconds(100))
    #expect(bucket.available == 5)
  }

  @Test("waiters are served at the steps, as many as there are tokens for")
  func waiters() throws {
    let bucket = bucket()
    let recorder = EventRecorder<Int>(clock: clock)
    for name in 0..<5 { _ = bucket.acquire(2) { _ in recorder.record(name) } }
    #expect(bucket.peek(2).retryAfter == .milliseconds(400))
    let reservation = try bucket.reserve(3)
    #expect(reservation.delay == .milliseconds(500))
    var counts = [Int]()
    for _ in 0..<6 {
      clock.advance(by: .milliseconds(100))
      counts.append(recorder.values.count)
    }
    #expect(counts == [1, 3, 4, 5, 5, 5])
    #expect(recorder.values == [0, 1, 2, 3, 4])
  }

  @Test("what a step brings above the burst is gone, and never spent ahead")
  func capacity() throws {
    let bucket = bucket(initial: 4)
    let reservation = try bucket.reserve(5)
    #expect(reservation.delay == .milliseconds(100))
    clock.advance(by: .milliseconds(100))
    #expect(bucket.available == 0)
  }
}
