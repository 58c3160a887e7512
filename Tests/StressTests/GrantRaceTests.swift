import Dispatch
import Pacing
import Synchronization
import TestSupport
import Testing

/// Races of a grant and a cancellation: for each waiting caller, one thread adds its token while
/// another cancels it.
///
/// A run has 5,000 races, and a million with `PACING_SOAK=200 swift test --filter GrantRaceTests`.
@Suite("Netflix/concurrency-limits#179: a grant races a cancellation", .alone)
struct GrantRaceTests {
  /// The number of callers that wait at a time.
  static let batch = 100

  /// Only `add` adds tokens, so that they can be counted.
  let bucket = TokenBucket(rate: .none, burst: 1 << 40, initial: 0)

  /// Adds a token for each waiter while another thread calls `leave` for each, in FIFO order.
  private func race(_ leave: @Sendable (Int) -> Void) {
    let ready = Atomic(0)
    DispatchQueue.concurrentPerform(iterations: 2) { thread in
      ready.add(1, ordering: .acquiringAndReleasing)
      // Both start at the same time, if there is a processor for each.
      for _ in 0..<10_000 where ready.load(ordering: .acquiring) < 2 {}
      for index in 0..<Self.batch {
        if thread == 0 { bucket.add(1) } else { leave(index) }
      }
    }
  }

  /// Tokens that were not granted remain; drains them.
  private func expectBalance(granted: Int, round: Int) {
    #expect(bucket.waitingCount == 0, "round \(round)")
    #expect(bucket.drain() == Self.batch - granted, "round \(round): a token was lost or doubled")
  }

  @Test("a request with a closure is granted or withdrawn, never both, and no token is lost")
  func closures() async {
    for round in 0..<40 * Soak.scale {
      let left = CountDown(Self.batch)
      let granted = Counter()
      let handles = (0..<Self.batch).map { _ in
        bucket.acquire { _ in
          granted.add()
          left.arrive()
        }
      }
      race { index in
        if handles[index].cancel() { left.arrive() }
      }
      await left.wait()
      expectBalance(granted: granted.value, round: round)
    }
    let all = 40 * Soak.scale * Self.batch
    #expect(bucket.statistics.granted + bucket.statistics.withdrawn == all)
  }

  @Test("a task is granted its turn or cancelled, never both, and no token is lost")
  func tasks() async throws {
    for round in 0..<10 * Soak.scale {
      let tasks = (0..<Self.batch).map { _ in bucket.acquiring() }
      while bucket.waitingCount < Self.batch { await Task.yield() }
      race { tasks[$0].cancel() }
      var granted = 0
      for task in tasks where try await task.value { granted += 1 }
      expectBalance(granted: granted, round: round)
    }
    let all = 10 * Soak.scale * Self.batch
    #expect(bucket.statistics.granted + bucket.statistics.withdrawn == all)
  }
}
