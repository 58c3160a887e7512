import Dispatch
import Pacing
import PacingTesting
import Synchronization
import TestSupport
import Testing

@Suite("TokenBucket: races")
struct TokenBucketRaceTests {
  let clock = ManualClock()
  /// A token arrives every millisecond, and none is lost, so that spending is countable.
  let bucket: TokenBucket
  let count = 300

  init() {
    bucket = TokenBucket(rate: .perSecond(1000), burst: 1000, initial: 0, clock: clock)
  }

  /// One thread grants, while two others call `leave` for each index in random order.
  private func race(seed: UInt64, _ leave: @Sendable (Int) -> Void) {
    DispatchQueue.concurrentPerform(iterations: 3) { thread in
      guard thread > 0 else {
        for _ in 0..<count / 2 { clock.advance(by: .milliseconds(1)) }
        return
      }
      var random = SplitMix64(seed: seed &+ UInt64(thread))
      for index in (0..<count).shuffled(using: &random).prefix(count / 2) { leave(index) }
    }
    // Serves the remaining waiters.
    clock.advance(by: .milliseconds(count))
  }

  private func expectCount(granted: Int) {
    #expect(bucket.available == count / 2 + count - granted, "a token was lost, or spent twice")
    #expect(bucket.waitingCount == 0)
    #expect(clock.pendingCount == 0)
  }

  @Test(
    "a request is either granted or withdrawn, and only a grant spends", arguments: Soak.seeds(10))
  func handles(seed: UInt64) {
    let granted = Mutex([Int](repeating: 0, count: count))
    let withdrawn = Mutex([Int](repeating: 0, count: count))
    let handles = (0..<count).map { index in
      bucket.acquire { _ in granted.withLock { $0[index] += 1 } }
    }
    race(seed: seed) { index in
      if handles[index].cancel() { withdrawn.withLock { $0[index] += 1 } }
    }
    let outcomes = zip(granted.withLock { $0 }, withdrawn.withLock { $0 })
    #expect(outcomes.allSatisfy { $0 + $1 == 1 })
    expectCount(granted: granted.withLock { $0 }.reduce(0, +))
  }

  @Test("a task is either granted or cancelled, and only a grant spends", arguments: Soak.seeds(10))
  func tasks(seed: UInt64) async throws {
    let tasks = (0..<count).map { _ in bucket.acquiring() }
    await clock.sleepers(atLeast: count)
    race(seed: seed) { tasks[$0].cancel() }
    var granted = 0
    for task in tasks where try await task.value { granted += 1 }
    expectCount(granted: granted)
  }

  @Test(
    "tries and requests from many threads spend what there is, and no more",
    arguments: Soak.seeds(5))
  func tries(seed: UInt64) {
    let granted = Atomic(0)
    let waiters = Atomic(0)
    DispatchQueue.concurrentPerform(iterations: 4) { thread in
      var random = SplitMix64(seed: seed &+ UInt64(thread))
      for _ in 0..<count {
        switch Int.random(in: 0..<4, using: &random) {
        case 0: clock.advance(by: .milliseconds(1))
        case 1:
          _ = bucket.acquire { _ in waiters.add(1, ordering: .relaxed) }
        default:
          if bucket.tryAcquire() { granted.add(1, ordering: .relaxed) }
        }
      }
    }
    let came = Int(PacingInstant(nanoseconds: 0).duration(to: clock.now) / .milliseconds(1))
    clock.advance(by: .milliseconds(bucket.waitingCount))
    let spent = granted.load(ordering: .relaxed) + waiters.load(ordering: .relaxed)
    #expect(bucket.available == max(came, spent) - spent)
    #expect(bucket.waitingCount == 0)
  }
}
