import Foundation
import Pacing
import PacingTesting
import TestSupport
import Testing

@Suite("Limits: what a first attempt got wrong")
struct PrototypeTests {
  let clock = ManualClock()
  let log: GrantLog

  init() { log = GrantLog(clock) }

  // MARK: Costs and parts

  @Test("a waiter keeps its costs by name when the parts change places, go and come")
  func costsByName() {
    let slow = Limit.tokenBucket(rate: .every(.milliseconds(10)), burst: 5, initial: 0).named(
      "slow")
    let fast = Limit.tokenBucket(rate: .every(.milliseconds(1)), burst: 5, initial: 0).named("fast")
    let limiter = RateLimiter(slow, fast, clock: clock)
    limiter.acquire(["slow": 2], completion: log.charge("a"))
    limiter.acquire(["fast": 3], completion: log.charge("b"))
    limiter.reconfigure([fast, slow])
    clock.advance(by: .milliseconds(20))
    #expect(log.lines == ["a 20", "b 20"])
    #expect(limiter.requestEach(0).map(\.remaining) == [2, 0])
    limiter.acquire(["slow": 1], completion: log.charge("c"))
    limiter.acquire(["fast": 5], completion: log.charge("d"))
    // With its part gone, a waiter waits for nothing any more.
    limiter.reconfigure([fast])
    #expect(log.lines.dropFirst(2) == ["c 20"])
    clock.advance(by: .milliseconds(3))
    #expect(log.lines.dropFirst(3) == ["d 23"])
    // A part that is new starts full.
    limiter.reconfigure([fast, .tokenBucket(rate: .perSecond(1), burst: 5).named("slow")])
    #expect(limiter.requestEach(0).map(\.remaining) == [0, 5])
  }

  @Test("a charge of a part that is gone gives nothing back, and one that has come is not charged")
  func chargeOfOtherParts() async throws {
    let a = Limit.tokenBucket(rate: .none, burst: 5).named("a")
    let b = Limit.tokenBucket(rate: .none, burst: 5).named("b")
    let limiter = RateLimiter(a, b, clock: clock)
    let spent = try await limiter.acquire(["a": 3, "b": 2])
    limiter.reconfigure([b])
    #expect(limiter.available == 3)
    spent.settle(["b": 1])
    #expect(limiter.available == 4)
    limiter.reconfigure([b, a])
    #expect(limiter.requestEach(0).map(\.remaining) == [4, 5])
    spent.cancel()
    #expect(limiter.requestEach(0).map(\.remaining) == [5, 5])
  }

  @Test("a cost of zero in the only part that is left is granted to a waiter, in its turn")
  func waiterOfNothing() {
    let window = Limit.slidingWindow(1, per: .milliseconds(50)).named("window")
    let bucket = Limit.tokenBucket(rate: .every(.milliseconds(10)), burst: 1, initial: 0)
      .named("bucket")
    let limiter = RateLimiter(window, bucket, clock: clock)
    limiter.acquire(["bucket": 1, "window": 1], completion: log.charge("a"))
    limiter.acquire(["bucket": 1], completion: log.charge("b"))
    limiter.reconfigure([window])
    #expect(log.lines == ["a 0", "b 0"])
  }

  @Test("a waiter whose cost exceeds a new capacity is refused at once, and the next moves up")
  func newCapacity() {
    let bucket = TokenBucket(
      rate: .every(.milliseconds(10)), burst: 10, initial: 0, clock: clock)
    bucket.acquire(8, completion: log.charge("a"))
    bucket.acquire(2, completion: log.charge("b"))
    bucket.reconfigure(burst: 5)
    #expect(log.lines == ["a exceeds burst"])
    clock.advance(by: .milliseconds(20))
    #expect(log.lines == ["a exceeds burst", "b 20"])
  }

  @Test("a change of the burst keeps the rate, and one of the rate keeps the burst")
  func changeOfOneSetting() {
    let bucket = TokenBucket(rate: .perSecond(10), burst: 5, clock: clock)
    bucket.reconfigure(rate: .perSecond(20))
    bucket.reconfigure(burst: 7)
    #expect(bucket.rate == .perSecond(20) && bucket.burst == 7)
    #expect(bucket.available == 5)
  }

  // MARK: Words

  @Test("a bucket that never refills refuses without naming a time")
  func rateOfNone() async {
    let bucket = TokenBucket(rate: .none, burst: 2, initial: 1, clock: clock)
    let error = await #expect(throws: AcquireError.self) {
      try await bucket.acquire(2, within: .seconds(3600))
    }
    #expect(error?.reason == .deadline && error?.neededWait == nil)
    let decision = bucket.request(2)
    #expect(!decision.isAllowed && decision.isPossible && decision.retryAfter == nil)
    #expect(bucket.acquire(2, completion: log.charge("a")).expectedWait == nil)
    bucket.add(1)
    #expect(log.lines == ["a 0"])
  }

  @Test("a needed wait counts from the call")
  func neededWait() async {
    let bucket = TokenBucket(rate: .every(.milliseconds(10)), burst: 5, initial: 0, clock: clock)
    clock.lapse(by: .milliseconds(15))
    let error = await #expect(throws: AcquireError.self) {
      try await bucket.acquire(3, within: .milliseconds(14))
    }
    #expect(error?.neededWait == .milliseconds(15))
    #expect(bucket.available == 1)
  }

  // MARK: Order and instants

  @Test(
    "a permit that comes back at a waiter's deadline, or later while its timer is late, is for the next"
  )
  func permitAtDeadline() {
    for late in [20, 25] {
      let (clock, permits) = (ManualClock(), Locked([String: Permit]()))
      let log = GrantLog(clock)
      let limit = ConcurrencyLimit(1, clock: clock)
      let held = limit.tryAcquire()
      limit.acquire(within: .milliseconds(20), completion: log.permit("a", in: permits))
      limit.acquire(completion: log.permit("b", in: permits))
      clock.lapse(by: .milliseconds(late))
      held?.release()
      #expect(log.lines == ["a deadline", "b \(late)"])
      #expect(limit.heldCount == 1 && limit.waitingCount == 0)
    }
  }

  @Test("no waiter is granted by a change at its deadline, wherever it stands")
  func changeAtDeadline() {
    let permits = Locked([String: Permit]())
    let limit = ConcurrencyLimit(2, clock: clock)
    let held = [limit.tryAcquire(), limit.tryAcquire()]
    limit.acquire(completion: log.permit("a", in: permits))
    limit.acquire(within: .milliseconds(20), completion: log.permit("b", in: permits))
    limit.acquire(completion: log.permit("c", in: permits))
    clock.lapse(by: .milliseconds(20))
    limit.reconfigure(4)
    #expect(log.lines.sorted() == ["a 20", "b deadline", "c 20"])
    withExtendedLifetime(held) {}
  }

  @Test("a wait equal to the timeout is granted, though the timer is late")
  func waitOfTimeout() {
    let bucket = TokenBucket(rate: .every(.milliseconds(10)), burst: 1, initial: 0, clock: clock)
    bucket.acquire(within: .milliseconds(10), completion: log.charge("a"))
    bucket.acquire(within: .milliseconds(19), completion: log.charge("b"))
    clock.lapse(by: .milliseconds(15))
    #expect(bucket.available == 0)
    #expect(log.lines == ["b deadline", "a 10"])
  }

  @Test(
    "a head whose deadline has passed is refused, and the next counts from that deadline",
    arguments: [40, 45])
  func lateHead(now: Int) {
    let bucket = TokenBucket(rate: .every(.milliseconds(10)), burst: 4, initial: 0, clock: clock)
    bucket.acquire(4, within: .milliseconds(40), completion: log.charge("a"))
    bucket.penalize(1)
    bucket.acquire(1, completion: log.charge("b"))
    clock.lapse(by: .milliseconds(now))
    #expect(bucket.available == 2)
    #expect(log.lines == ["a deadline", "b 40"])
  }

  @Test("the withdrawal of an overdue waiter wins, and those behind it count as if it had not been")
  func overdueLeaver() {
    let bucket = TokenBucket(
      rate: .every(.milliseconds(10)), burst: 3, initial: 0,
      queue: QueuePolicy(catchUp: .seconds(1)), clock: clock)
    bucket.acquire(1, completion: log.charge("a"))
    let leaver = bucket.acquire(2, completion: log.charge("b"))
    bucket.acquire(1, completion: log.charge("c"))
    bucket.acquire(2, completion: log.charge("d"))
    clock.lapse(by: .milliseconds(55))
    #expect(leaver.cancel())
    #expect(log.lines == ["a 10", "c 20", "d 40"])
    #expect(bucket.statistics.withdrawn == 1)
  }

  @Test(
    "one behind a leaver that was not due counts from the leaving, or from the leaver's deadline",
    arguments: [(20, 15), (12, 12)])
  func leaverThatWasNotDue(deadline: Int, next: Int) {
    let limiter = RateLimiter(
      .tokenBucket(rate: .every(.milliseconds(10)), burst: 1, initial: 0).named("a"),
      .tokenBucket(rate: .every(.milliseconds(10)), burst: 1, initial: 0).named("b"),
      queue: QueuePolicy(catchUp: .seconds(1)), clock: clock)
    let leaver = limiter.acquire(
      ["b": 1], within: .milliseconds(deadline), completion: log.charge("leaver"))
    limiter.acquire(["a": 1], completion: log.charge("next"))
    limiter.penalize(["b": 1])
    clock.lapse(by: .milliseconds(15))
    #expect(leaver.cancel())
    #expect(log.lines == ["next \(next)"])
  }

  @Test("one behind a leaver is served at its own deadline as if the leaver had not been")
  func deadlineBehindLeaver() {
    let window = RateLimiter(.fixedWindow(3, per: .milliseconds(10)), clock: clock)
    #expect(window.tryAcquire(3))
    window.acquire(2, completion: log.charge("a"))
    let leaver = window.acquire(3, completion: log.charge("b"))
    window.acquire(1, within: .milliseconds(26), completion: log.charge("c"))
    clock.lapse(by: .milliseconds(26))
    #expect(leaver.cancel())
    #expect(log.lines == ["a 26", "c 26"])
  }

  @Test("the rest of a nanosecond is not lost: seven nanoseconds give three tokens for ever")
  func fractions() {
    let bucket = TokenBucket(
      rate: Rate(3, per: .nanoseconds(7)), burst: 1, initial: 0, clock: clock)
    let last = Locked(PacingInstant.distantFuture)
    for _ in 0..<3000 {
      bucket.acquire { result in
        if case .success(let charge) = result { last.withLock { $0 = charge.instant } }
      }
    }
    let start = clock.now
    while let next = clock.nextDeadline { clock.advance(to: next) }
    #expect(last.withLock { start.duration(to: $0) } == .nanoseconds(7000))
    #expect(bucket.waitingCount == 0)
  }

  @Test("a waiter that a pause has delayed is charged at the end of the pause")
  func fractionAfterPause() {
    let bucket = TokenBucket(
      rate: Rate(2, per: .nanoseconds(5)), burst: 1, initial: 0, clock: clock)
    bucket.pause(for: .nanoseconds(3))
    // Full after 2.5 ns, within the nanosecond in which the pause ends.
    bucket.acquire(completion: log.charge("a"))
    bucket.acquire(completion: log.charge("b"))
    clock.advance(by: .nanoseconds(5))
    #expect(log.lines.count == 1)
    clock.advance(by: .nanoseconds(1))
    #expect(log.lines.count == 2)
  }

  // MARK: Wakes

  @Test("waiters for many tokens a second may share a late wake, and each counts from its instant")
  func sharedWakes() {
    let bucket = TokenBucket(rate: .perSecond(10_000), burst: 100, initial: 0, clock: clock)
    for name in 1...100 { bucket.acquire(completion: log.charge("\(name)")) }
    for wake in 1...10 {
      clock.lapse(by: .milliseconds(1))
      clock.advance(by: .zero)
      #expect(log.lines.count == 10 * wake)
    }
    #expect(log.lines[0] == "1 0.1" && log.lines[9] == "10 1" && log.lines[99] == "100 10")
  }

  @Test("a wake for few tokens a second comes when the first of them comes")
  func ownWakes() {
    let bucket = TokenBucket(rate: .perSecond(100), burst: 100, initial: 0, clock: clock)
    for name in 1...3 { bucket.acquire(completion: log.charge("\(name)")) }
    var instants = [Double]()
    while let next = clock.nextDeadline {
      instants.append(log.milliseconds(next))
      clock.advance(to: next)
    }
    #expect(instants == [10, 20, 30])
  }

  @Test("no timer is armed for a permit, whose wait has no name, and a release serves at once")
  func permitsHaveNoTime() {
    let permits = Locked([String: Permit]())
    let limit = ConcurrencyLimit(1, clock: clock)
    let held = limit.tryAcquire()
    let handle = limit.acquire(completion: log.permit("a", in: permits))
    #expect(handle.expectedWait == nil)
    #expect(clock.nextDeadline == nil && clock.pendingCount == 0)
    clock.lapse(by: .milliseconds(30))
    held?.release()
    #expect(log.lines == ["a 30"])
  }

  @Test("with no one to serve and no timeout, no timer is left")
  func noTimerLeft() {
    let bucket = TokenBucket(rate: .perSecond(1), burst: 1, initial: 0, clock: clock)
    let handles = (0..<3).map {
      bucket.acquire(within: .seconds(10), completion: log.charge("\($0)"))
    }
    #expect(clock.pendingCount == 4)
    for handle in handles { #expect(handle.cancel()) }
    #expect(clock.pendingCount == 0 && clock.nextDeadline == nil)
    #expect(log.lines.isEmpty)
  }

  // MARK: Newest first

  @Test(
    "nothing is ahead of a new caller when the newest is served first, and the oldest is dropped")
  func newestFirst() {
    let policy = QueuePolicy(maximumWaiters: 2, newestFirst: true, whenFull: .makeRoom)
    let bucket = TokenBucket(
      rate: .every(.milliseconds(10)), burst: 5, initial: 0, queue: policy, clock: clock)
    bucket.acquire(2, completion: log.charge("a"))
    bucket.acquire(2, completion: log.charge("b"))
    // Behind them it would be 50 ms.
    let handle = bucket.acquire(1, within: .milliseconds(10), completion: log.charge("c"))
    #expect(handle.expectedWait == .milliseconds(10))
    #expect(log.lines == ["a queue is full"])
    #expect(!bucket.request().isAllowed && bucket.request().retryAfter == .milliseconds(40))
    clock.advance(by: .milliseconds(30))
    #expect(log.lines == ["a queue is full", "c 10", "b 30"])
  }

  @Test("a full queue refuses the new caller, and with a bound of zero no caller waits")
  func bounds() {
    for whenFull in [WhenFull.refuse, .makeRoom] {
      let bucket = TokenBucket(
        rate: .every(.milliseconds(10)), burst: 5, initial: 1,
        queue: QueuePolicy(maximumWaiters: 0, whenFull: whenFull), clock: clock)
      bucket.acquire(1, completion: log.charge("a"))
      bucket.acquire(1, completion: log.charge("b"))
      bucket.acquire(0, completion: log.charge("c"))
    }
    #expect(log.lines == ["a 0", "b queue is full", "c 0", "a 0", "b queue is full", "c 0"])
  }

  @Test("a caller that cannot be served in time drops no other from a full queue")
  func doomedNewcomer() {
    let policy = QueuePolicy(maximumWaiters: 2, whenFull: .makeRoom)
    let bucket = TokenBucket(
      rate: .every(.milliseconds(10)), burst: 5, initial: 0, queue: policy, clock: clock)
    bucket.acquire(2, completion: log.charge("a"))
    bucket.acquire(2, completion: log.charge("b"))
    bucket.acquire(4, within: .milliseconds(50), completion: log.charge("c"))
    #expect(log.lines == ["c deadline"])
    #expect(bucket.waitingCount == 2)
  }

  // MARK: What disappears with the old code

  @Test(
    "a waiter whose cost fits is served under the same settings again and again, and one whose cost does not is refused"
  )
  func reconfigureLoop() {
    let bucket = TokenBucket(rate: .perSecond(1), burst: 10, initial: 0, clock: clock)
    bucket.acquire(20, completion: log.charge("a"))
    bucket.acquire(10, completion: log.charge("b"))
    bucket.acquire(7, completion: log.charge("c"))
    for _ in 0..<12 {
      clock.advance(by: .milliseconds(2500))
      bucket.reconfigure(rate: .perSecond(1), burst: 10)
    }
    #expect(log.lines == ["a exceeds burst", "b 10000", "c 17000"])
  }

  @Test(
    "settings from hostile JSON throw, and say what is wrong",
    arguments: [
      (#"{"kind": "token bucket", "rate": "5/s", "burst": 0}"#, "burst must be positive"),
      (#"{"kind": "token bucket", "rate": "0/s", "burst": 1}"#, "count must be positive"),
      (#"{"kind": "token bucket", "rate": "5/s", "burst": 1, "initial": 2}"#, "initial must be"),
      (#"{"kind": "token bucket", "rate": "5/s", "burst": 1, "initial": -1}"#, "initial must be"),
      (#"{"kind": "sliding window", "count": 0, "window": "1 s"}"#, "count must be positive"),
      (#"{"kind": "fixed window", "count": 1, "window": "0 s"}"#, "window must be positive"),
      (#"{"kind": "fixed window", "count": 1, "window": "-1 s"}"#, "be a duration"),
      (
        #"{"kind": "fixed window", "count": 1, "window": "99999999999999999999 s"}"#,
        "be a duration"
      ),
      (#"{"kind": "leaky", "count": 1}"#, "but is \"leaky\""),
      (#"{"kind": "fixed window", "count": 1}"#, "with a count and a duration"),
    ])
  func hostileLimit(json: String, sentence: String) {
    let error = #expect(throws: DecodingError.self) {
      try JSONDecoder().decode(Limit.self, from: Data(json.utf8))
    }
    #expect(error.map { "\($0)".contains(sentence) } == true, "\(error as Any)")
  }

  @Test(
    "quotas and rates from hostile JSON throw, and say what is wrong",
    arguments: [
      (#"{"rate": "none", "burst": 5}"#, "rate must not be none"),
      (#"{"rate": "5/s", "burst": 0}"#, "burst must be positive"),
      (#"{"rate": "9223372036854775807 per 7 ns", "burst": 1}"#, "2^32"),
      (#"{"rate": "9223372036854775808/s", "burst": 1}"#, "rate must"),
      (#"{"rate": "-5/s", "burst": 1}"#, "must"), (#"{"rate": "", "burst": 1}"#, "rate must"),
      (#"{"rate": "1 per 0 s", "burst": 1}"#, "period must be positive"),
    ])
  func hostileQuota(json: String, sentence: String) {
    let error = #expect(throws: DecodingError.self) {
      try JSONDecoder().decode(Quota.self, from: Data(json.utf8))
    }
    #expect(error.map { "\($0)".contains(sentence) } == true, "\(error as Any)")
  }
}
