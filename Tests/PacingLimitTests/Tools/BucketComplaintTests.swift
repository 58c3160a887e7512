import Pacing
import PacingTesting
import TestSupport
import Testing

/// Bugs that users of other rate limiters reported, each with its source.
@Suite("TokenBucket: complaints about others")
struct BucketComplaintTests {
  typealias Bucket = BucketState<Int>

  let clock = ManualClock()

  static func at(_ nanoseconds: Nanoseconds) -> PacingInstant {
    PacingInstant(nanoseconds: nanoseconds)
  }

  @Test("golang/go#56287, #71360, golang/time#25: a stale now mints nothing")
  func staleNow() {
    var bucket = Bucket(rate: .perSecond(1), burst: 10, at: Self.at(0))
    var granted = 0
    for step in 0..<2000 {
      // Two threads whose clock readings are three seconds apart.
      let now = Self.at(Nanoseconds(step % 2 == 0 ? 3 : 0) * 1_000_000_000)
      if bucket.tryAcquire(1, at: now) { granted += 1 }
    }
    #expect(granted == 10)
    #expect(bucket.available(at: Self.at(4_000_000_000)) == 1)
  }

  @Test("gocryptotrader#2371: a token that is due is there, after any number of others")
  func noDrift() {
    var bucket = Bucket(rate: .perMinute(7), burst: 2, initial: 1, at: Self.at(0))
    for number in 0..<10_000 {
      // A minute refills seven tokens, without a remainder.
      let due = (Nanoseconds(number) * 60_000_000_000 + 6) / 7
      let isEarly = number > 0 && bucket.tryAcquire(1, at: Self.at(due - 1))
      let isDue = bucket.tryAcquire(1, at: Self.at(due))
      #expect(!isEarly && isDue, "token \(number)")
    }
  }

  @Test("golang/go#71154: a rate of one in centuries admits nothing, and a cost below zero traps")
  func slowest() {
    var bucket = Bucket(rate: Rate(1, per: .seconds(9_000_000_000)), burst: 2, at: Self.at(0))
    let burst = bucket.tryAcquire(2, at: Self.at(0))
    #expect(burst)
    for now in [0, 1, 1 << 32, Nanoseconds.never / 2] {
      let isAllowed = bucket.tryAcquire(1, at: Self.at(now))
      #expect(!isAllowed)
    }
    #expect(bucket.peek(1, at: Self.at(.never / 2)).retryAfter! > .seconds(4_000_000_000))
  }

  @Test("bucket4j#51: nothing overflows, however long the bucket was idle")
  func idle() {
    for rate in [Rate.perSecond(1_000_000_000), Rate(.max, per: .seconds(1)), .perHour(1)] {
      var bucket = Bucket(rate: rate, burst: 1 << 60, initial: 0, at: Self.at(0))
      for hours in [12, 24, 1 << 20] as [Nanoseconds] {
        let now = Self.at(hours * 3_600_000_000_000)
        let available = bucket.available(at: now)
        #expect(available >= 0 && available <= 1 << 60)
        _ = bucket.take(upTo: .max, at: now)
        #expect(bucket.available(at: now) == 0)
      }
    }
  }

  @Test("polling for large costs starves: a waiter for five is served among callers that try one")
  func starvation() {
    let bucket = TokenBucket(rate: .perSecond(10), burst: 5, initial: 0, clock: clock)
    let recorder = EventRecorder<Int>(clock: clock)
    var small = 0
    var large = bucket.acquire(5) { _ in recorder.record(5) }
    for _ in 0..<1000 {
      clock.advance(by: .milliseconds(100))
      if bucket.tryAcquire() { small += 1 }
      if bucket.waitingCount == 0, small.isMultiple(of: 5) {
        large = bucket.acquire(5) { _ in recorder.record(5) }
      }
    }
    _ = large
    #expect(recorder.values.count > 90)
    #expect(small + recorder.values.count * 5 <= 1000)
  }

  @Test("governor#107, #249: not one cell more than the burst", arguments: [1, 2, 15, 1000])
  func noExtraCell(burst: Int) {
    for rate in [Rate.perSecond(burst), .perMinute(7), Rate(1_000_000_007, per: .seconds(3))] {
      var bucket = Bucket(rate: rate, burst: burst, at: Self.at(0))
      var granted = 0
      while bucket.tryAcquire(1, at: Self.at(0)) { granted += 1 }
      #expect(granted == burst)
    }
  }

  @Test(
    "governor#203: rates of 300 million a second, of a billion and above are exact",
    arguments: [300_000_000, 999_999_999, 1_000_000_000, 7_000_000_001, 1 << 40])
  func fast(perSecond: Int) {
    var bucket = Bucket(rate: .perSecond(perSecond), burst: 1 << 50, initial: 0, at: Self.at(0))
    var taken = 0
    var random = SplitMix64(seed: 1)
    var now = 0 as Nanoseconds
    while now < 1_000_000_000 {
      now = min(1_000_000_000, now + .random(in: 1...2_000_000, using: &random))
      taken += bucket.take(upTo: .max, at: Self.at(now))
    }
    #expect(taken == perSecond)
  }

  @Test("one token a month comes after a month, not a nanosecond before")
  func monthly() {
    let month = Nanoseconds(30 * 86_400) * 1_000_000_000
    var bucket = Bucket(rate: Rate(1, per: .seconds(30 * 86_400)), burst: 1, at: Self.at(0))
    for number in 0..<100 {
      let due = Nanoseconds(number) * month
      let isEarly = number > 0 && bucket.tryAcquire(1, at: Self.at(due - 1))
      let isDue = bucket.tryAcquire(1, at: Self.at(due))
      #expect(!isEarly && isDue)
    }
  }

  @Test("dotnet/runtime#92557, #129036: the reported wait includes the waiters ahead")
  func retryAfter() {
    let bucket = TokenBucket(rate: .perSecond(10), burst: 3, initial: 0, clock: clock)
    for _ in 0..<4 { _ = bucket.acquire { _ in } }
    #expect(bucket.request(2).retryAfter == .milliseconds(600))
    clock.advance(by: .milliseconds(599))
    #expect(!bucket.tryAcquire(2))
    clock.advance(by: .milliseconds(1))
    #expect(bucket.tryAcquire(2))
  }

  @Test("dotnet/runtime#95611: a bucket has one timer while callers wait, and none otherwise")
  func timers() {
    let buckets = (0..<100).map { _ in
      TokenBucket(rate: .perSecond(10), burst: 1, initial: 0, clock: clock)
    }
    #expect(clock.pendingCount == 0)
    let handles = buckets.flatMap { bucket in (0..<3).map { _ in bucket.acquire { _ in } } }
    #expect(clock.pendingCount == 100)
    for handle in handles { handle.cancel() }
    #expect(clock.pendingCount == 0)
  }

  @Test("sidekiq#5315: 500 waiters are served by 500 wakes, each in turn")
  func wakes() {
    let bucket = TokenBucket(rate: .perSecond(100), burst: 10, initial: 0, clock: clock)
    let recorder = EventRecorder<Int>(clock: clock)
    for name in 0..<500 { _ = bucket.acquire { _ in recorder.record(name) } }
    var wakes = 0
    while let next = clock.nextDeadline {
      wakes += 1
      clock.advance(to: next)
    }
    #expect(recorder.values == Array(0..<500))
    #expect(wakes <= 501)
  }

  @Test("resilience4j#1283: who cannot be served in time is told at once, not when time is over")
  func certainFailure() async {
    let bucket = TokenBucket(rate: .perSecond(1), burst: 1, initial: 0, clock: clock)
    _ = bucket.acquire { _ in }
    await #expect(throws: AcquireError.deadline(neededWait: .seconds(2))) {
      try await bucket.acquire(within: .milliseconds(1999))
    }
    #expect(clock.now == PacingInstant(nanoseconds: 0))
  }

  @Test("uber#73: a wait can be cancelled, and takes nothing then")
  func cancellation() async {
    let bucket = TokenBucket(rate: .perSecond(1), burst: 1, initial: 0, clock: clock)
    let task = Task { try await bucket.acquire() }
    await clock.sleepers(atLeast: 1)
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    clock.advance(by: .seconds(1))
    #expect(bucket.available == 1)
  }

  @Test("PyrateLimiter#289: at the boundary a wait ends, and is not one of nothing again and again")
  func boundary() {
    let bucket = TokenBucket(rate: .perSecond(3), burst: 3, clock: clock)
    #expect(bucket.tryAcquire(3))
    var asked = 0
    while !bucket.tryAcquire() {
      asked += 1
      guard asked < 10, let wait = bucket.peek().retryAfter, wait > .zero else { break }
      clock.advance(by: wait)
    }
    #expect(asked == 1)
  }

  @Test("symfony#60551: a look changes nothing, however often")
  func peek() {
    let bucket = TokenBucket(rate: .perSecond(10), burst: 3, clock: clock)
    for _ in 0..<100 { #expect(bucket.peek(3).isAllowed) }
    #expect(bucket.available == 3)
    #expect(bucket.statistics.granted + bucket.statistics.refused == 0)
  }
}
