import Pacing
import PacingTesting
import TestSupport
import Testing

@Suite("Reservation")
struct ReservationTests {
  let clock = ManualClock()

  /// Ten tokens per second, a burst of three.
  func bucket(initial: Int = 3, _ overdraft: Overdraft = .none) -> TokenBucket {
    TokenBucket(
      rate: .perSecond(10), burst: 3, initial: initial, overdraft: overdraft, clock: clock)
  }

  @Test("is pinned to the earliest time that fits, and says how long that is")
  func delays() throws {
    let bucket = bucket()
    let delays = try [3, 2, 1].map { try bucket.reserve($0) }
    #expect(delays.map(\.delay) == [.zero, .milliseconds(200), .milliseconds(300)])
    #expect(bucket.available == -3)
    #expect(!bucket.tryAcquire())
    #expect(bucket.peek().retryAfter == .milliseconds(400))
    clock.advance(by: .milliseconds(250))
    #expect(delays.map(\.delay) == [.zero, .zero, .milliseconds(50)])
    #expect(delays[2].instant == clock.now.advanced(by: .milliseconds(50)))
    #expect(clock.pendingCount == 0)
  }

  @Test("is refused where it comes too late or is too large, and nothing changes")
  func refusals() throws {
    let bucket = bucket(initial: 0)
    #expect(throws: AcquireError.deadline(neededWait: .milliseconds(200))) {
      try bucket.reserve(2, within: .milliseconds(199))
    }
    #expect(throws: AcquireError.exceedsBurst(cost: 4, burst: 3)) { try bucket.reserve(4) }
    #expect(bucket.available == 0)
    #expect(try bucket.reserve(2, within: .milliseconds(200)).delay == .milliseconds(200))
    #expect(try bucket.reserve(0).delay == .zero)
    bucket.reconfigure(rate: .none)
    #expect(throws: AcquireError.deadline(neededWait: Duration(nanoseconds: .never))) {
      try bucket.reserve()
    }
  }

  @Test("golang/go#69419: cancelling one of several gives back all that the others do not need")
  func cancelling() throws {
    let bucket = bucket()
    _ = try bucket.reserve(3)
    let middle = try bucket.reserve(2)
    let last = try bucket.reserve(1)
    #expect(middle.cancel())
    #expect(!middle.cancel())
    #expect(bucket.available == -1)
    clock.advance(by: .milliseconds(200))
    #expect(bucket.available == 1)
    // The last one is pinned; two are free now, because it needs only the tokens that arrive until
    // then.
    #expect(bucket.tryAcquire(2))
    #expect(!bucket.tryAcquire())
    #expect(last.delay == .milliseconds(100))
    clock.advance(by: .milliseconds(100))
    #expect(bucket.available == 0)
    #expect(last.cancel(), "up to and including its time")
    #expect(bucket.available == 1)
    clock.advance(by: .milliseconds(1))
    #expect(!last.cancel())
  }

  @Test("golang/go#56924: whatever is cancelled, the tokens come back to where they were")
  func cancellingAll() throws {
    let bucket = bucket()
    let all = try (0..<20).map { try bucket.reserve($0 % 3 + 1) }
    for reservation in all.reversed() { #expect(reservation.cancel()) }
    #expect(bucket.available == 3)
    #expect(bucket.statistics.tokens == 0)
  }

  @Test("can be waited for, and is used then")
  func ready() async throws {
    let bucket = bucket(initial: 0)
    let reservation = try bucket.reserve(2)
    async let wait: Void = reservation.ready()
    await clock.sleepers(atLeast: 1)
    clock.advance(by: .milliseconds(200))
    try await wait
    #expect(!reservation.cancel(), "it is used")
    try await reservation.ready()
    #expect(bucket.available == 0)
    #expect(clock.pendingCount == 0)
  }

  @Test("a task that is cancelled while it waits gives the reservation back")
  func cancelledTask() async throws {
    let bucket = bucket(initial: 0)
    let reservation = try bucket.reserve(2)
    let task = Task { try await reservation.ready() }
    await clock.sleepers(atLeast: 1)
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(bucket.available == 0)
    #expect(!reservation.cancel())
    #expect(clock.pendingCount == 0)
  }

  @Test("a task that is cancelled before the time of one that is settled is not let through")
  func cancelledAfterSettling() async throws {
    let bucket = bucket(initial: 0)
    let reservation = try bucket.reserve(2)
    let task = Task { try await reservation.ready() }
    await clock.sleepers(atLeast: 1)
    reservation.settle(actual: 1)
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(bucket.available == -1 && clock.now == .at(0))
    clock.advance(by: .milliseconds(200))
    try await reservation.ready()
  }

  @Test("tower-resilience#363: who waits for a reservation that is cancelled is not let through")
  func cancelledReservation() async throws {
    let bucket = bucket(initial: 0)
    let reservation = try bucket.reserve(2)
    let task = Task { try await reservation.ready() }
    await clock.sleepers(atLeast: 1)
    #expect(reservation.cancel())
    await #expect(throws: CancellationError.self) { try await task.value }
    await #expect(throws: CancellationError.self) { try await reservation.ready() }
    #expect(clock.pendingCount == 0)
  }

  @Test("does not overtake waiters, nor delay them")
  func waiters() throws {
    let bucket = bucket(initial: 0)
    let recorder = EventRecorder<String>(clock: clock)
    let first = bucket.acquire(2) { _ in recorder.record("first") }
    let reservation = try bucket.reserve(1)
    #expect(reservation.delay == .milliseconds(300))
    _ = bucket.acquire(1) { _ in recorder.record("second") }
    #expect(first.cancel())
    // The reservation keeps its time, and the next waiter takes the place of the cancelled one.
    clock.advance(by: .milliseconds(100))
    #expect(recorder.values == ["second"])
    #expect(reservation.delay == .milliseconds(200))
  }

  // MARK: Settling

  @Test("teleport#69116: an estimate is settled when the cost is known, less or more")
  func settling() throws {
    let bucket = TokenBucket(rate: .perSecond(1000), burst: 5000, clock: clock)
    let estimate = try bucket.reserve(1000)
    #expect(bucket.available == 4000)
    estimate.settle(actual: 3417)
    #expect(bucket.available == 5000 - 3417)
    estimate.settle(actual: 0)
    #expect(!estimate.cancel())
    let second = try bucket.reserve(1500)
    second.settle(actual: 83)
    #expect(bucket.available == 1500)
    let third = try bucket.reserve(1500)
    third.settle(actual: 4500)
    #expect(bucket.available == -3000)
    #expect(bucket.peek().retryAfter == .milliseconds(3001))
    #expect(bucket.statistics.tokens == 3417 + 83 + 4500)
  }

  @Test("what was reserved too much comes back as far as the bucket would hold it by now")
  func settlingLate() throws {
    let bucket = bucket()
    let reservation = try bucket.reserve(3)
    clock.advance(by: .milliseconds(200))
    #expect(bucket.tryAcquire(2))
    clock.advance(by: .milliseconds(100))
    // Without the reservation the bucket would have been full until two were taken.
    reservation.settle(actual: 0)
    #expect(bucket.available == 2)
  }

  @Test("one whose time has not come is settled by giving its place to others")
  func settlingEarly() throws {
    let bucket = bucket(initial: 0)
    let reservation = try bucket.reserve(3)
    let next = try bucket.reserve(1)
    reservation.settle(actual: 1)
    #expect(bucket.available == -2)
    #expect(try bucket.reserve(1).delay == .milliseconds(100))
    #expect(next.delay == .milliseconds(400))
  }

  @Test("one that is dropped stays spent, and ends what is remembered of it")
  func dropping() throws {
    let bucket = bucket()
    _ = try bucket.reserve(2)
    _ = try bucket.reserve(2)
    #expect(bucket.available == -1)
    clock.advance(by: .milliseconds(100))
    #expect(bucket.available == 0)
    #expect(!bucket.tryAcquire())
  }

  @Test("one of a dropped bucket can still be waited for and cancelled")
  func droppedBucket() async throws {
    var bucket: TokenBucket? = bucket(initial: 0)
    let reservation = try bucket!.reserve(1)
    let second = try bucket!.reserve(1)
    bucket = nil
    clock.advance(by: .milliseconds(100))
    try await reservation.ready()
    #expect(second.cancel())
  }

  // MARK: Overdrafts

  @Test("a cost above the burst is saved up for, and no other waiter is served meanwhile")
  func savingUp() throws {
    let bucket = bucket(.savingUp)
    let large = try bucket.reserve(10)
    #expect(large.delay == .milliseconds(700))
    #expect(bucket.available == -7)
    #expect(bucket.peek(4).retryAfter == nil)
    #expect(bucket.peek(1).retryAfter == .milliseconds(800))
    clock.advance(by: .milliseconds(300))
    #expect(large.cancel())
    #expect(bucket.available == 3)
  }

  @Test("a waiter saves up for a cost above the burst, and the others wait for it")
  func waitingForMore() {
    let bucket = bucket(initial: 0, .savingUp)
    let recorder = EventRecorder<String>(clock: clock)
    _ = bucket.acquire(2) { _ in recorder.record("two") }
    _ = bucket.acquire(5) { _ in recorder.record("five") }
    _ = bucket.acquire(1) { _ in recorder.record("one") }
    for (due, name) in [(200, "two"), (700, "five"), (800, "one")] {
      clock.advance(to: PacingInstant(nanoseconds: Nanoseconds(due) * 1_000_000 - 1))
      #expect(recorder.values.last != name)
      clock.advance(by: .nanoseconds(1))
      #expect(recorder.values.last == name)
    }
    #expect(bucket.available == 0)
  }

  @Test("the next caller pays, where that was agreed")
  func nextPays() throws {
    let bucket = bucket(initial: 0, .nextPays)
    #expect(bucket.tryAcquire(10))
    #expect(bucket.available == -10)
    #expect(bucket.peek(5).retryAfter == .seconds(1))
    let reservation = try bucket.reserve(5)
    #expect(reservation.delay == .seconds(1))
    #expect(try bucket.reserve(1).delay == .milliseconds(1500))
    clock.advance(by: .seconds(1))
    #expect(!bucket.tryAcquire())
    clock.advance(by: .milliseconds(600))
    #expect(bucket.tryAcquire(100))
  }

  @Test("what accrues for a reservation is left to no other caller")
  func noRoom() throws {
    let bucket = bucket(initial: 0)
    let reservation = try bucket.reserve(3)
    clock.advance(by: .milliseconds(200))
    #expect(bucket.peek(0).remaining == 0 && !bucket.tryAcquire())
    #expect(reservation.cancel())
    #expect(bucket.peek(0).remaining == 2 && bucket.tryAcquire(2))
  }

  @Test("the bucket is full again after all reservations, also if one before them was cancelled")
  func fullAgain() throws {
    let bucket = bucket(initial: 0)
    let reservations = try [2, 2, 1].map { try bucket.reserve($0) }
    #expect(bucket.peek(0).resetAfter == .milliseconds(800))
    #expect(reservations[0].cancel())
    // It is full from 300 ms on, until the second is due.
    #expect(bucket.peek(0).resetAfter == .milliseconds(700))
    #expect(reservations[1].cancel())
    #expect(bucket.peek(0).resetAfter == .milliseconds(600))
    withExtendedLifetime(reservations) {}
  }

  @Test("a caller is told a nanosecond at which it finds room before a reservation, or none before")
  func wholeNanoseconds() throws {
    let bucket = TokenBucket(rate: .perSecond(3), burst: 1, initial: 0, clock: clock)
    let reservations = try [1, 1].map { try bucket.reserve($0) }
    #expect(reservations.map(\.delay) == [333_333_334, 666_666_667].map { .nanoseconds($0) })
    #expect(reservations[0].cancel())
    // Its token came a third of a nanosecond before a caller can come, and is needed by the other.
    #expect(bucket.peek().retryAfter == .seconds(1))
    clock.advance(by: .nanoseconds(333_333_334))
    #expect(!bucket.tryAcquire())
    clock.advance(by: .nanoseconds(666_666_666))
    #expect(bucket.tryAcquire())
    withExtendedLifetime(reservations) {}
  }

  @Test("give back what a peak took: cancelled, spent and forgotten, spent long ago")
  func memory() throws {
    typealias Bucket = BucketState<Int>
    func at(_ milliseconds: Nanoseconds) -> PacingInstant {
      PacingInstant(nanoseconds: milliseconds * 1_000_000)
    }
    var bucket = Bucket(rate: .perSecond(1000), burst: 3, initial: 0, at: at(0))
    func crowd(at now: Nanoseconds) throws -> [Bucket.Reserved] {
      try (0..<2_000).map { _ in try bucket.reserve(1, at: at(now)).get() }
    }
    let cancelled = try crowd(at: 0)
    #expect(bucket.reservationCapacity >= 2_000)
    for (index, reserved) in cancelled.enumerated() where !index.isMultiple(of: 200) {
      let isInTime = bucket.cancel(reserved, cost: 1, at: at(0))
      #expect(isInTime)
    }
    #expect(bucket.reservationCapacity <= 3 * 10 + 64)
    // What is left keeps its time.
    let available = [1_000, 1_001, 1_002].map { bucket.available(at: at($0)) }
    #expect(available == [-2, -2, -1])
    let forgotten = try crowd(at: 10_000)
    _ = bucket.available(at: at(12_000))
    for reserved in forgotten.dropFirst(10) { bucket.forget(reserved) }
    #expect(bucket.reservationCapacity <= 3 * 10 + 64)
    _ = try crowd(at: 20_000)
    _ = bucket.available(at: at(30_000))
    #expect(bucket.reservationCapacity >= 2_000)
    let isSpent = bucket.tryAcquire(3, at: at(30_000))
    #expect(isSpent && bucket.reservationCapacity <= 64)
  }
}
