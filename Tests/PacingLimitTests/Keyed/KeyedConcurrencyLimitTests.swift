import PacingTesting
import TestSupport
import Testing

@testable import Pacing

@Suite("KeyedConcurrencyLimit")
struct KeyedConcurrencyLimitTests {
  let clock = ManualClock()

  private func limit(
    perKey: Int, total: Int, maximumKeys: Int = .max, queue: QueuePolicy = .unlimited
  ) -> KeyedConcurrencyLimit<String> {
    KeyedConcurrencyLimit(
      perKey: perKey, total: total, maximumKeys: maximumKeys, queue: queue, clock: clock)
  }

  /// Starts a task that holds a permit of a key for a time, and records when it has begun.
  @discardableResult
  private func hold(
    _ name: String, _ key: String, _ limit: KeyedConcurrencyLimit<String>, for time: Duration,
    within timeout: Duration? = nil, in log: EventRecorder<String>
  ) -> Task<Void, Never> {
    clock.run { [clock] in
      do {
        try await limit.withPermit(for: key, within: timeout) {
          log.record(name)
          try await clock.sleep(for: time)
        }
      } catch let error as AcquireError {
        log.record("\(name): \(error.reason)")
      } catch {}
    }
  }

  @Test("a key has its own count, and all together have the total")
  func counts() throws {
    let limit = limit(perKey: 2, total: 3)
    let first = try #require(limit.tryAcquire(for: "a"))
    let second = try #require(limit.tryAcquire(for: "a"))
    #expect(limit.tryAcquire(for: "a") == nil, "the key's")
    let third = try #require(limit.tryAcquire(for: "b"))
    #expect(limit.tryAcquire(for: "c") == nil && limit.keyCount == 2, "the total")
    #expect(limit.heldCount == 3)
    first.release()
    first.release()
    #expect(limit.heldCount == 2)
    let fourth = try #require(limit.tryAcquire(for: "c"))
    for permit in [second, third, fourth] { permit.release() }
    #expect(limit.heldCount == 0 && limit.keyCount == 0)
    #expect(limit.statistics == LimitStatistics(granted: 4, refused: 2, tokens: 4))
  }

  @Test("callers of a key are served in its order, and then in that of their arrival at the total")
  func order() {
    let limit = limit(perKey: 1, total: 2)
    let log = EventRecorder<String>(clock: clock)
    for name in ["a1", "a2", "b1", "c1", "b2"] {
      hold(name, String(name.first!), limit, for: .seconds(1), in: log)
    }
    clock.advance(by: .zero)
    #expect(log.values == ["a1", "b1"] && limit.waitingCount == 3 && limit.keyCount == 3)
    clock.advance(by: .seconds(1))
    // c1 was first at the total; a2 and b2 came to it when their keys were free.
    #expect(log.values.prefix(3) == ["a1", "b1", "c1"])
    clock.advance(by: .seconds(3))
    #expect(log.values.count == 5 && limit.keyCount == 0 && clock.pendingCount == 0)
  }

  @Test("a busy key holds back no other one")
  func fairness() {
    let limit = limit(perKey: 4, total: 64)
    let log = EventRecorder<String>(clock: clock)
    for _ in 0..<10_000 { hold("busy", "busy", limit, for: .seconds(1), in: log) }
    for number in 0..<100 { hold("\(number)", "key \(number)", limit, for: .seconds(1), in: log) }
    clock.advance(by: .zero)
    #expect(log.values.count == 64 && log.values.count { $0 == "busy" } == 4)
    clock.advance(by: .seconds(1))
    #expect(Set(log.values).count == 101, "each of the hundred has begun")
    #expect(limit.keyCount <= 41)
    limit.close()
    clock.advance(by: .seconds(1))
    #expect(limit.keyCount == 0 && limit.heldCount == 0 && limit.waitingCount == 0)
  }

  @Test("a caller that leaves gives back what it holds, while it waits for its key or the total")
  func leaving() async {
    let limit = limit(perKey: 1, total: 1)
    let log = EventRecorder<String>(clock: clock)
    hold("a1", "a", limit, for: .seconds(10), in: log)
    clock.advance(by: .zero)
    let forKey = hold("a2", "a", limit, for: .seconds(1), in: log)
    let forTotal = hold("b1", "b", limit, for: .seconds(1), in: log)
    hold("b2", "b", limit, for: .seconds(1), in: log)
    clock.advance(by: .zero)
    #expect(limit.waitingCount == 3)
    forKey.cancel()
    forTotal.cancel()
    clock.advance(by: .zero)
    #expect(limit.waitingCount == 1 && limit.keyCount == 2)
    clock.advance(by: .seconds(20))
    #expect(log.values == ["a1", "b2"] && limit.keyCount == 0)
    #expect(limit.statistics == LimitStatistics(granted: 2, withdrawn: 2, tokens: 2))
  }

  @Test("a timeout bounds both waits together")
  func timeouts() {
    let limit = limit(perKey: 1, total: 1)
    let log = EventRecorder<String>(clock: clock)
    hold("a", "a", limit, for: .seconds(3), in: log)
    clock.advance(by: .zero)
    hold("b", "b", limit, for: .seconds(4), within: .seconds(5), in: log)
    // Its key is free after two seconds, and the total after the other one's four.
    hold("c", "b", limit, for: .seconds(1), within: .seconds(6), in: log)
    hold("d", "a", limit, for: .seconds(1), within: .seconds(2), in: log)
    hold("e", "c", limit, for: .seconds(1), within: .zero, in: log)
    clock.advance(by: .seconds(2))
    #expect(log.values == ["a", "e: deadline", "d: deadline"])
    clock.advance(by: .seconds(4))
    #expect(log.values == ["a", "e: deadline", "d: deadline", "b", "c: deadline"])
    clock.advance(by: .seconds(4))
    #expect(limit.keyCount == 0 && clock.pendingCount == 0)
  }

  @Test("a deadline in force is the bound of a caller without one")
  func deadlineInForce() {
    let limit = limit(perKey: 1, total: 1)
    let log = EventRecorder<String>(clock: clock)
    hold("a", "a", limit, for: .seconds(3), in: log)
    clock.run { [clock] in
      do {
        try await withTimeout(.seconds(2), clock: clock) {
          try await limit.withPermit(for: "b") { log.record("b") }
        }
      } catch {
        log.record("b: \((error as? AcquireError)?.reason.description ?? "\(error)")")
      }
    }
    clock.advance(by: .seconds(2))
    #expect(log.values == ["a", "b: deadline"] && limit.waitingCount == 0)
  }

  @Test("beyond the maximum of keys a new one is refused, and one in use is not")
  func tooManyKeys() async throws {
    let limit = limit(perKey: 2, total: 9, maximumKeys: 2)
    let permits = ["a", "b", "a"].compactMap { limit.tryAcquire(for: $0) }
    #expect(permits.count == 3 && limit.tryAcquire(for: "c") == nil)
    await #expect(throws: AcquireError.deadline(neededWait: nil)) {
      _ = try await limit.acquire(for: "c")
    }
    #expect(limit.statistics.refused == 2)
    permits[1].release()
    #expect(limit.tryAcquire(for: "c") != nil)
    for permit in permits { permit.release() }
  }

  @Test("the number of a key is asked at each call, and holds from then on")
  func ownCounts() async throws {
    let counts = Locked(["a": 1, "b": 3])
    let limit = KeyedConcurrencyLimit<String>(total: 9, clock: clock) { key in
      counts.withLock { $0[key]! }
    }
    var permits = [try #require(limit.tryAcquire(for: "a"))]
    #expect(limit.tryAcquire(for: "a") == nil)
    permits += (0..<3).compactMap { _ in limit.tryAcquire(for: "b") }
    #expect(permits.count == 4 && limit.tryAcquire(for: "b") == nil)
    counts.withLock { $0 = ["a": 2, "b": 1] }
    permits.append(try #require(limit.tryAcquire(for: "a")))
    permits[1].release()
    #expect(limit.tryAcquire(for: "b") == nil)
    for permit in permits { permit.release() }
    #expect(limit.keyCount == 0)
  }

  @Test("each key's queue has the bound and the order of the policy")
  func policy() {
    let limit = limit(
      perKey: 1, total: 9, queue: QueuePolicy(maximumWaiters: 2, newestFirst: true))
    let log = EventRecorder<String>(clock: clock)
    for name in ["a1", "a2", "a3", "a4", "b1", "b2"] {
      hold(name, String(name.first!), limit, for: .seconds(1), in: log)
      clock.advance(by: .zero)
    }
    #expect(log.values == ["a1", "a4: queue is full", "b1"])
    clock.advance(by: .seconds(3))
    #expect(log.values.filter { $0.hasPrefix("a") } == ["a1", "a4: queue is full", "a3", "a2"])
  }

  @Test("a closed limit refuses waiters and later callers; what is held stays held")
  func closed() async throws {
    let limit = limit(perKey: 1, total: 1)
    let log = EventRecorder<String>(clock: clock)
    let permit = try await limit.acquire(for: "a")
    hold("key", "a", limit, for: .zero, in: log)
    hold("total", "b", limit, for: .zero, in: log)
    clock.advance(by: .zero)
    limit.close()
    clock.advance(by: .zero)
    #expect(Set(log.values) == ["key: closed", "total: closed"] && limit.heldCount == 1)
    #expect(limit.keyCount == 1)
    permit.release()
    #expect(limit.tryAcquire(for: "b") == nil)
    await #expect(throws: AcquireError.closed) { _ = try await limit.acquire(for: "a") }
    #expect(limit.keyCount == 0)
  }

  @Test("a permit outlives its limit, and the keys that it names are released with it")
  func lifetimes() throws {
    weak var released: Key?
    do {
      let permit: Permit
      do {
        let (key, limit) = (Key(), KeyedConcurrencyLimit<Key>(perKey: 1, total: 1, clock: clock))
        released = key
        permit = try #require(limit.tryAcquire(for: key))
      }
      #expect(released != nil)
      permit.release()
    }
    #expect(released == nil)
  }

  private final class Key: Hashable, Sendable {
    static func == (left: Key, right: Key) -> Bool { left === right }
    func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
  }
}
