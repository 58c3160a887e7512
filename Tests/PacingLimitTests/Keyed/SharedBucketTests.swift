import Pacing
import PacingTesting
import TestSupport
import Testing

@Suite("KeyedRateLimiter: waiting for the shared bucket")
struct SharedBucketTests {
  let clock = ManualClock()

  /// Makes a limiter whose table is full, and whose shared bucket is empty.
  private func limiter(
    burst: Int = 1, queue: QueuePolicy = .unlimited
  ) -> KeyedRateLimiter<Int> {
    let limiter = KeyedRateLimiter<Int>(
      rate: .perSecond(1), burst: burst, maximumKeys: 1, whenFull: .share, queue: queue,
      clock: clock)
    #expect(limiter.tryAcquire(burst, for: 1) && limiter.tryAcquire(burst, for: 2))
    limiter.penalize(1000, for: 1)
    return limiter
  }

  @Test("a caller waits for the shared bucket as for one of its own")
  func waits() {
    let limiter = limiter()
    let granted = Counter()
    limiter.acquire(for: 3, within: .seconds(2)) { if case .success = $0 { granted.add() } }
    clock.runReady()
    #expect(granted.value == 0 && limiter.waitingCount == 1 && limiter.keyCount == 1)
    clock.advance(by: .seconds(1))
    #expect(granted.value == 1 && limiter.waitingCount == 0 && clock.pendingCount == 0)
    #expect(!limiter.tryAcquire(for: 4))
  }

  @Test("callers of different keys are served in order, and no other call overtakes them")
  func order() {
    let limiter = limiter()
    let told = Locked([Int]())
    for key in 3...5 { limiter.acquire(for: key) { _ in told.withLock { $0.append(key) } } }
    #expect(limiter.available(for: 6) == -3 && limiter.peek(for: 6).retryAfter == .seconds(4))
    #expect(limiter.request(for: [6, 7]).decision.retryAfter == .seconds(4))
    clock.lapse(by: .seconds(1))
    #expect(!limiter.tryAcquire(for: 6))
    clock.advance(by: .seconds(1))
    #expect(told.withLock { $0 } == [3, 4])
    limiter.reset(5)
    #expect(limiter.waitingCount == 1, "a key without a bucket has nothing to forget")
    clock.advance(by: .seconds(1))
    #expect(told.withLock { $0 } == [3, 4, 5])
    #expect(!limiter.tryAcquire(for: 6) && limiter.keyCount == 1 && clock.pendingCount == 0)
    clock.advance(by: .seconds(1))
    #expect(limiter.request(for: [6, 7]).isAllowed && !limiter.tryAcquire(for: 8))
  }

  @Test("a deadline, a withdrawal, the queue's bound and a cost beyond the burst")
  func refusals() {
    let limiter = limiter(burst: 2, queue: QueuePolicy(maximumWaiters: 1))
    let told = Locked([Int: String]())
    @discardableResult
    func ask(_ key: Int, _ cost: Int = 1, within timeout: Duration? = nil) -> Acquisition {
      limiter.acquire(cost, for: key, within: timeout) { result in
        guard case .failure(let error) = result else { return }
        told.withLock { $0[key] = error.reason.description }
      }
    }
    ask(3, within: .milliseconds(999))
    ask(4, 3)
    let waiting = ask(5)
    ask(6)
    clock.runReady()
    #expect(told.withLock { $0 } == [3: "deadline", 4: "exceeds burst", 6: "queue is full"])
    #expect(waiting.cancel() && !waiting.cancel() && limiter.waitingCount == 0)
    #expect(clock.pendingCount == 0)
    ask(7)
    limiter.close()
    clock.runReady()
    #expect(told.withLock { $0[7] } == "closed" && clock.pendingCount == 0)
  }
}
