import Pacing
import TestSupport
import Testing

/// A bucket of two tokens, one each ten nanoseconds, that is paused from its start.
@Suite("Token bucket: saving up beside reservations")
struct SavingTests {
  private let start = LimitLawTests.at(0)

  private func paused(
    until end: Int, initial: Int = 2, refill: Refill = .continuous,
    overdraft: Overdraft = .savingUp, queue: QueuePolicy = .unlimited
  ) -> BucketState<Int> {
    var bucket = BucketState<Int>(
      rate: Rate(1, per: .nanoseconds(10)), burst: 2, initial: initial, refill: refill,
      overdraft: overdraft, queue: queue, at: start)
    bucket.pause(until: at(end), at: start)
    return bucket
  }

  private func at(_ instant: Int) -> PacingInstant { LimitLawTests.at(instant) }

  /// When a new reservation is due.
  private func due(
    _ cost: Int, _ bucket: inout BucketState<Int>, at now: PacingInstant? = nil
  ) throws -> PacingInstant {
    try bucket.reserve(cost, at: now ?? start).get().due
  }

  private func served(_ bucket: inout BucketState<Int>, at instant: Int) -> [Int] {
    var served = [Int]()
    while let name = bucket.grantNext(at: at(instant)) { served.append(name) }
    return served
  }

  @Test("a reservation behind it takes nothing of what was saved, whenever a look comes")
  func looks() throws {
    var bucket = paused(until: 50, refill: .stepwise(every: .nanoseconds(20)))
    let admission = bucket.admit(5, within: 50, at: start)
    #expect(admission == .mustWait)
    _ = bucket.join(5, as: 1, within: 50)
    let reserved = try due(1, &bucket)
    #expect(reserved == at(50))
    _ = bucket.available(at: at(45))
    let later = try due(1, &bucket, at: at(45))
    #expect(later >= at(50))
    let names = served(&bucket, at: 50)
    #expect(names == [1])
    #expect(bucket.countedFrom == at(50))
  }

  @Test("a reservation behind it takes nothing of what was saved, however late the timer is")
  func lateness() throws {
    var bucket = paused(until: 100, queue: QueuePolicy(catchUp: .zero))
    _ = bucket.join(5, as: 1)
    let reserved = try due(1, &bucket)
    #expect(reserved == at(100))
    let names = served(&bucket, at: 101)
    #expect(names == [1])
    let left = bucket.available(at: at(101))
    #expect(left == 1)
  }

  @Test("a waiter that becomes the first saves up in the pause")
  func displaced() {
    var bucket = paused(
      until: 100, initial: 0, queue: QueuePolicy(maximumWaiters: 2, whenFull: .dropOldest))
    _ = bucket.join(1, as: 1)
    _ = bucket.join(3, as: 2)
    let admission = bucket.admit(1, within: 100, at: start)
    #expect(admission == .mustWait)
    let displaced = bucket.displace()
    #expect(displaced == 1)
    _ = bucket.join(1, as: 3, within: 100)
    let names = served(&bucket, at: 100)
    #expect(names == [2, 3])
  }

  @Test("a reservation fits ahead of others with what comes in the pause")
  func ahead() throws {
    var bucket = paused(until: 100)
    let dues = try [2, 2, 3].map { try due($0, &bucket) }
    #expect(dues == [at(100), at(120), at(100)])
  }

  @Test("after a resumption, costs fit ahead of the reservations", arguments: [1, 2])
  func resumption(cost: Int) throws {
    var bucket = paused(until: 100, overdraft: .none)
    let dues = try [2, 2].map { try due($0, &bucket) }
    #expect(dues == [at(100), at(120)])
    bucket.resume(at: at(10))
    let isGranted = bucket.tryAcquire(cost, at: at(10))
    #expect(isGranted)
  }
}
