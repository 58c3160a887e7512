import Foundation
import Dispatch
import Pacing
import PacingTesting
import TestSupport
import Testing

@Suite("RateLimiter")
struct RateLimiterTests {
  let clock = ManualClock()

  @Test("dotnet/runtime#113314: a refusal charges none of the limits, and names one")
  func chargesNone() {
    let limiter = RateLimiter(
      .tokenBucket(rate: .perSecond(10), burst: 5).named("burst"),
      .slidingWindow(6, per: .seconds(60)).named("minute"),
      .fixedWindow(7, per: .seconds(3600)).named("hour"), clock: clock)
    #expect(limiter.request(4).isAllowed)
    let tooFast = limiter.request(2)
    #expect(!tooFast.isAllowed && tooFast.refusedBy == "burst")
    #expect(tooFast.retryAfter == .milliseconds(100))
    clock.advance(by: .seconds(1))
    let tooMany = limiter.request(3)
    #expect(tooMany.refusedBy == "minute" && tooMany.retryAfter == .seconds(59))
    #expect(tooMany.remaining == 2)
    #expect(limiter.tryAcquire(2))
    clock.advance(by: .seconds(59))
    #expect(limiter.request(2).refusedBy == "hour")
    #expect(limiter.peek(2).retryAfter == .seconds(3540))
    #expect(limiter.available == 1)
    #expect(limiter.tryAcquire(1) && limiter.available == 0)
    clock.advance(by: .seconds(3540))
    // If the refusals had charged the bucket or a window, this would be refused.
    #expect(limiter.request(5).isAllowed)
  }

  @Test("a limit without a name says what it is")
  func names() {
    let limiter = RateLimiter(
      .slidingWindow(9, per: .seconds(2)), .fixedWindow(3, per: .seconds(1)),
      .tokenBucket(rate: .perSecond(4), burst: 4), clock: clock)
    let never = limiter.request(4)
    #expect(never.retryAfter == nil && never.refusedBy == "3 in each 1.0 seconds")
    #expect(limiter.tryAcquire(3))
    #expect(limiter.request(2).refusedBy == "3 in each 1.0 seconds")
    let names = [
      Limit.slidingWindow(9, per: .seconds(2)), .tokenBucket(rate: .perSecond(4), burst: 4),
      .fixedWindow(1, per: .seconds(1)).named("own"),
    ].map(\.description)
    #expect(names == ["9 in any 2.0 seconds", "4 per second, at most 4", "own"])
  }

  @Test("tasks wait in order, behind one timer, until all limits allow them")
  func tasksWaitInOrder() async throws {
    let limiter = RateLimiter(
      .tokenBucket(rate: .perSecond(10), burst: 2), .slidingWindow(4, per: .seconds(1)),
      clock: clock)
    #expect(limiter.tryAcquire(2))
    var tasks = [Task<Void, any Error>]()
    for cost in [2, 1] {
      tasks.append(Task { try await limiter.acquire(cost) })
      await clock.sleepers(atLeast: tasks.count)
    }
    #expect(limiter.available == -3 && limiter.waitingCount == 2 && clock.pendingCount == 1)
    clock.advance(by: .milliseconds(200))
    try await tasks[0].value
    #expect(limiter.waitingCount == 1 && !limiter.tryAcquire())
    // The bucket would allow it by now; the window does when the first two are a second old.
    clock.advance(by: .milliseconds(799))
    #expect(limiter.waitingCount == 1)
    clock.advance(by: .milliseconds(1))
    try await tasks[1].value
    #expect(clock.pendingCount == 0 && limiter.available == 1)
  }

  @Test("resilience4j#1283: a deadline that cannot be met is refused at once")
  func deadlines() async throws {
    let limiter = RateLimiter(.fixedWindow(2, per: .seconds(1)), clock: clock)
    #expect(limiter.tryAcquire(2))
    await #expect(throws: AcquireError.deadline(neededWait: .seconds(1))) {
      try await limiter.acquire(within: .milliseconds(999))
    }
    await #expect(throws: AcquireError.exceedsBurst(cost: 3, burst: 2)) {
      try await limiter.acquire(3)
    }
    async let granted = limiter.acquire(within: .seconds(1))
    await clock.sleepers(atLeast: 1)
    clock.advance(by: .seconds(1))
    _ = try await granted
    #expect(limiter.available == 1)
  }

  @Test("a cancelled task spends nothing and makes way for the next")
  func cancellation() async throws {
    let limiter = RateLimiter(.slidingWindow(2, per: .seconds(1)), clock: clock)
    #expect(limiter.tryAcquire())
    let first = Task { try await limiter.acquire(2) }
    await clock.sleepers(atLeast: 1)
    let second = Task { try await limiter.acquire() }
    await clock.sleepers(atLeast: 2)
    first.cancel()
    await #expect(throws: CancellationError.self) { try await first.value }
    _ = try await second.value
    #expect(limiter.available == 0 && clock.pendingCount == 0)
  }

  @Test("dotnet/runtime#95611: a limiter has one timer at most, and none without waiters")
  func timers() {
    let limiters = (0..<10).map { _ in
      RateLimiter(.slidingWindow(1, per: .seconds(1)), clock: clock)
    }
    #expect(clock.pendingCount == 0)
    let granted = Counter()
    for limiter in limiters {
      for _ in 0..<5 { _ = limiter.acquire { _ in granted.add() } }
    }
    #expect(clock.pendingCount == 10)
    clock.advance(by: .seconds(4))
    #expect(granted.value == 50 && clock.pendingCount == 0)
    withExtendedLifetime(limiters) {}
  }

  @Test("handles withdraw, completions run where they should, a waiter keeps the limiter")
  func closures() async {
    let notes = EventRecorder<String>()
    weak var dropped: RateLimiter?
    do {
      let limiter = RateLimiter(.fixedWindow(1, per: .seconds(1)), clock: clock)
      dropped = limiter
      _ = limiter.acquire { _ in notes.record("now") }
      let withdrawn = limiter.acquire { _ in notes.record("withdrawn") }
      _ = limiter.acquire(on: .queue(DispatchQueue(label: "test"))) { turn in
        notes.record((try? turn.get()) == nil ? "refused" : "later")
      }
      #expect(withdrawn.cancel() && !withdrawn.cancel())
    }
    #expect(dropped != nil)
    clock.advance(by: .seconds(1))
    await clock.settle()
    #expect(notes.values == ["now", "later"])
    #expect(dropped == nil && clock.pendingCount == 0)
  }

  @Test("a stream hands out one for each call, and ends with the limiter")
  func ticks() async {
    var limiter: RateLimiter? = RateLimiter(.slidingWindow(2, per: .seconds(1)), clock: clock)
    var ticks = limiter!.ticks().makeAsyncIterator()
    #expect(await ticks.next() == clock.now)
    #expect(limiter!.available == 1)
    limiter = nil
    #expect(await ticks.next() == nil)
  }

  @Test("a pause grants nothing until it is over, keeps the places, and is never made shorter")
  func pauses() {
    let limiter = RateLimiter(.tokenBucket(rate: .perSecond(10), burst: 2), clock: clock)
    let granted = Counter()
    limiter.pause(for: .seconds(5))
    limiter.pause(for: .seconds(1))
    limiter.pause(for: .seconds(-1))
    #expect(!limiter.tryAcquire() && limiter.available == 2)
    let look = limiter.peek()
    #expect(look.retryAfter == .seconds(5) && look.refusedBy == nil && look.remaining == 0)
    for _ in 0..<3 { _ = limiter.acquire { _ in granted.add() } }
    #expect(limiter.peek().retryAfter == .milliseconds(5200))
    clock.advance(by: .milliseconds(4999))
    #expect(granted.value == 0)
    clock.advance(by: .milliseconds(1))
    #expect(granted.value == 2)
    limiter.pause(for: .seconds(2))
    clock.advance(by: .milliseconds(1999))
    #expect(granted.value == 2)
    clock.advance(by: .milliseconds(1))
    #expect(granted.value == 3 && clock.pendingCount == 0)
  }

  @Test("waiters that a pause makes too late are refused at their deadline, and the others stay")
  func hopeless() {
    let limiter = RateLimiter(.fixedWindow(1, per: .seconds(1)), clock: clock)
    let notes = EventRecorder<String>()
    #expect(limiter.tryAcquire())
    for (name, timeout) in [("first", 5), ("second", 3), ("third", 9)] {
      limiter.acquire(within: .seconds(timeout)) {
        notes.record("\(name) \($0.map { $0.costs })")
      }
    }
    limiter.pause(for: .seconds(4))
    clock.advance(by: .seconds(3))
    let refusal = AcquireError.deadline(neededWait: .seconds(4))
    #expect(notes.values == ["second failure(\(String(reflecting: refusal)))"])
    clock.advance(by: .seconds(1))
    #expect(notes.values.last == "first success(1)")
    clock.advance(by: .seconds(1))
    #expect(notes.values.last == "third success(1)" && clock.pendingCount == 0)
  }

  @Test("once closed, it serves no waiters, and tells them")
  func closed() async {
    let limiter = RateLimiter(.fixedWindow(1, per: .seconds(1)), clock: clock)
    let notes = EventRecorder<String>()
    _ = limiter.acquire { _ in notes.record("granted") }
    _ = limiter.acquire { result in
      if case .failure(let error) = result { notes.record("\(error.reason)") }
    }
    limiter.close()
    clock.advance(by: .seconds(5))
    #expect(notes.values == ["granted", "closed"] && !limiter.tryAcquire())
    #expect(limiter.request().retryAfter == nil && limiter.waitingCount == 0)
    await #expect(throws: AcquireError.closed) { try await limiter.acquire() }
  }

  @Test(
    "threads that try, wait and leave are granted what the window holds, and no more",
    arguments: Soak.seeds(4))
  func threads(seed: UInt64) {
    let limiter = RateLimiter(
      .slidingWindow(500, per: .seconds(1)), .tokenBucket(rate: .perSecond(1), burst: 800),
      clock: clock)
    let granted = Counter()
    DispatchQueue.concurrentPerform(iterations: 8) { thread in
      var random = SplitMix64(seed: seed &* 8 &+ UInt64(thread))
      for _ in 0..<300 {
        switch Int.random(in: 0..<3, using: &random) {
        case 0: if limiter.tryAcquire() { granted.add() }
        case 1: if limiter.request().isAllowed { granted.add() }
        default:
          let handle = limiter.acquire { if case .success = $0 { granted.add() } }
          if Bool.random(using: &random) { handle.cancel() }
        }
      }
    }
    clock.runReady()
    #expect(granted.value == 500, "seed \(seed)")
    let waiting = limiter.waitingCount
    clock.advance(by: .seconds(1))
    // The bucket has 300 left, and one more arrives in the second.
    #expect(granted.value == 500 + min(waiting, 301), "seed \(seed)")
    #expect(limiter.waitingCount == max(0, waiting - 301), "seed \(seed)")
  }

  @Test("takes what there is, and starts over when it is told to")
  func takesAndResets() {
    let limiter = RateLimiter(
      .slidingWindow(5, per: .seconds(60)), .tokenBucket(rate: .perSecond(1), burst: 3),
      clock: clock)
    #expect(limiter.take(upTo: 9) == 3 && limiter.take(upTo: 9) == 0)
    clock.advance(by: .seconds(3))
    #expect(limiter.take(upTo: 1) == 1 && limiter.take(upTo: 9) == 1)
    let granted = Counter()
    _ = limiter.acquire(2) { _ in granted.add() }
    #expect(limiter.take(upTo: 9) == 0)
    limiter.pause(for: .seconds(60))
    limiter.reset()
    clock.advance(by: .zero)
    #expect(granted.value == 1 && limiter.available == 1)
  }

  @Test("starts over full, though a bucket may have held less at first")
  func resetsToFull() {
    let limiter = RateLimiter(
      .tokenBucket(rate: .perSecond(1), burst: 3, initial: 0), clock: clock)
    #expect(limiter.available == 0)
    limiter.reset()
    #expect(limiter.available == 3)
  }

  @Test("counts what it grants and refuses, and who leaves")
  func statistics() {
    let limiter = RateLimiter(
      .fixedWindow(5, per: .seconds(1)),
      queue: QueuePolicy(maximumWaiters: 2, whenFull: .makeRoom),
      clock: clock)
    #expect(limiter.tryAcquire(2) && limiter.request(1).isAllowed && limiter.take(upTo: 9) == 2)
    #expect(!limiter.tryAcquire() && !limiter.request(2).isAllowed && limiter.take(upTo: 1) == 0)
    _ = limiter.acquire(within: .milliseconds(1)) { _ in }
    limiter.acquire { _ in }.cancel()
    for _ in 0..<3 { _ = limiter.acquire { _ in } }
    #expect(limiter.statistics.granted == 3 && limiter.statistics.tokens == 5)
    #expect(limiter.statistics.refused == 4 && limiter.statistics.withdrawn == 1)
    clock.advance(by: .seconds(1))
    #expect(limiter.statistics.granted == 5 && limiter.statistics.tokens == 7)
    _ = limiter.acquire(4) { _ in }
    limiter.close()
    #expect(limiter.statistics.refused == 5 && limiter.statistics.withdrawn == 1)
  }

  @Test("a rate without an end limits nothing, and no rate grants what there is at first")
  func rates() {
    let unlimited = RateLimiter(.tokenBucket(rate: .unlimited, burst: 2), clock: clock)
    #expect(unlimited.tryAcquire(1_000_000) && unlimited.request(.max).isAllowed)
    let none = RateLimiter(.tokenBucket(rate: .none, burst: 2), clock: clock)
    #expect(none.tryAcquire(2))
    clock.advance(by: .seconds(1_000_000))
    #expect(none.request().retryAfter == nil && none.available == 0)
    let keyed = KeyedRateLimiter<Int>(rate: .unlimited, burst: 1, maximumKeys: 1, clock: clock)
    #expect(keyed.tryAcquire(9, for: 1) && keyed.request(9, for: 1).isAllowed)
  }

  @Test(
    "settings from outside are told what is wrong with them",
    arguments: [
      (#"{"kind":"fixed window","count":0,"window":"1 s"}"#, "count must be positive"),
      (#"{"kind":"sliding window","count":1,"window":"0 s"}"#, "window must be positive"),
      (#"{"kind":"token bucket","rate":"1/s","burst":0}"#, "burst must be positive"),
      (#"{"kind":"token bucket","rate":"1/s","burst":2,"initial":3}"#, "initial must be in 0...2"),
      (#"{"kind":"token bucket","rate":"1/x","burst":2}"#, "rate must be like"),
      (#"{"kind":"fixed window","count":1,"window":"1 s","start":"x"}"#, "Start"),
      (#"{"kind":"leaky","count":1}"#, "but is \"leaky\""),
    ])
  func validation(text: String, complaint: String) {
    let error = #expect(throws: DecodingError.self) {
      try JSONDecoder().decode(Limit.self, from: Data(text.utf8))
    }
    #expect("\(error!)".contains(complaint))
  }

  #if os(Linux) || os(macOS)
    @Test("stops the program on a constant that cannot work, and on a negative cost")
    func programmerErrors() async {
      await #expect(processExitsWith: .failure) { _ = Limit.fixedWindow(0, per: .seconds(1)) }
      await #expect(processExitsWith: .failure) { _ = RateLimiter([]) }
      await #expect(processExitsWith: .failure) {
        _ = RateLimiter(.fixedWindow(1, per: .seconds(1))).tryAcquire(-1)
      }
    }
  #endif
}
