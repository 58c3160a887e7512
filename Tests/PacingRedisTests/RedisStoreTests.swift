import Pacing
import PacingTesting
import Testing

@testable import PacingRedis

@Suite("RedisStore")
struct RedisStoreTests {
  @Test("a script that the server does not know is sent once, and by its digest again")
  func unknownScript() async {
    let server = ScriptedServer(ManualClock())
    let store = server.store()
    let limiter = SharedRateLimiter(store)
    server.flush()
    #expect(await limiter.request(for: "a").source == .store)
    #expect(await limiter.request(for: "a").source == .store)
    #expect(server.calls.map(\.command) == ["EVALSHA", "EVAL", "EVALSHA"])
    #expect(store.statistics.calls == 3 && store.statistics.failed == 0)
  }

  @Test("an answer that is late is a failure, and what it charged is not charged again")
  func lost() async {
    let clock = ManualClock()
    let server = ScriptedServer(clock)
    let store = server.store()
    let limiter = SharedRateLimiter(store, onFailure: .deny)
    server.behaviour = .holds
    async let lost = limiter.request(2, for: "a")
    await clock.sleepers(atLeast: 1)
    async let gathered = limiter.request(2, for: "a")
    await clock.sleepers(atLeast: 2)
    clock.advance(by: .milliseconds(50))
    let decisions = await [lost, gathered]
    #expect(decisions.allSatisfy { $0.source == .failurePolicy && $0.refusedBy == "store" })
    #expect(decisions.allSatisfy { $0.retryAfter == .milliseconds(500) })
    #expect(store.statistics.timedOut == 1 && store.statistics.pending == 1)
    server.behaviour = .answers
    server.release()
    #expect(await limiter.request(for: "a").remaining == 2, "one debit of two, and one of one")
    #expect(server.calls.count == 2)
  }

  @Test(
    "a malformed reply is a failure",
    arguments: [[], [1], [1, 2, 3], [-1, 0], [1, -1], [4, 0], [1, 0], [1, .max]] as [[Int64]])
  func malformed(reply: [Int64]) async {
    let server = ScriptedServer(ManualClock())
    let store = server.store()
    server.behaviour = .replies(reply)
    let limiter = SharedRateLimiter(store, onFailure: .allow)
    #expect(await limiter.request(for: "a").source == .failurePolicy)
    #expect(await limiter.peek(for: "a").source == .failurePolicy)
    #expect(await limiter.take(upTo: 3, for: "a") == 3)
    #expect(store.statistics.failed == 3 && !store.isAvailable)
  }

  @Test("a reply that grants more than it charges is a failure, however many gathered")
  func grantsForNothing() async {
    let clock = ManualClock()
    let server = ScriptedServer(clock)
    let burst = 104_249
    let limiter = SharedRateLimiter(
      server.store(), rate: .every(.seconds(86_400)), burst: burst)
    server.behaviour = .holds
    let first = Task { await limiter.request(for: "a") }
    await clock.sleepers(atLeast: 1)
    let others = (0..<1100).map { _ in Task { await limiter.request(burst - 1, for: "a") } }
    await clock.sleepers(atLeast: 1101)
    server.behaviour = .replies([1100, 0])
    server.release()
    #expect(await first.value.isAllowed)
    for other in others { #expect(await other.value.source == .failurePolicy) }
  }

  @Test("after failures in a row one call in each pause tries, and a success closes the breaker")
  func breaker() async {
    let clock = ManualClock()
    let server = ScriptedServer(clock)
    let store = server.store()
    let limiter = SharedRateLimiter(store, onFailure: .allow)
    var states = store.states().makeAsyncIterator()
    #expect(await states.next() == .available)
    server.behaviour = .fails("LOADING")
    for _ in 0..<100 { #expect(await limiter.request(for: "a").source == .failurePolicy) }
    #expect(server.calls.count == 3 && !store.isAvailable)
    #expect(await states.next() == .unavailable(reason: "LOADING"))
    clock.advance(by: .milliseconds(499))
    _ = await limiter.request(for: "a")
    #expect(server.calls.count == 3)
    clock.advance(by: .milliseconds(1))
    for _ in 0..<10 { _ = await limiter.request(for: "a") }
    #expect(server.calls.count == 4)
    server.behaviour = .answers
    clock.advance(by: .milliseconds(500))
    #expect(await limiter.request(for: "a").source == .store)
    #expect(store.isAvailable && store.statistics.spared == 107)
    #expect(await states.next() == .available)
  }

  @Test("many calls that meet one pause of the store are one failure")
  func oneFailure() async {
    let clock = ManualClock()
    let server = ScriptedServer(clock)
    let store = server.store()
    let limiter = SharedRateLimiter(store, onFailure: .allow)
    server.behaviour = .holds
    let tasks = (0..<64).map { key in Task { await limiter.request(for: "\(key)") } }
    await clock.sleepers(atLeast: 64)
    clock.advance(by: .milliseconds(60))
    for task in tasks { #expect(await task.value.source == .failurePolicy) }
    #expect(store.isAvailable && store.statistics.timedOut == 64)
    server.behaviour = .answers
    server.release()
  }

  @Test(
    "an error about one key spares the breaker",
    arguments: ["WRONGTYPE Operation", "ERR PACING a key holds something else", "CROSSSLOT Keys"])
  func keyFaults(text: String) async {
    let server = ScriptedServer(ManualClock())
    let store = server.store()
    server.behaviour = .fails(text)
    let limiter = SharedRateLimiter(store, onFailure: .deny)
    for _ in 0..<10 { #expect(await limiter.request(for: "a").source == .failurePolicy) }
    #expect(store.isAvailable && store.statistics.lastFailure == text && server.calls.count == 10)
  }

  @Test("a key with any name has the script sent, and its own errors spare the breaker")
  func ownWords() async {
    let clock = ManualClock()
    let server = ScriptedServer(clock)
    let store = server.store()
    let limiter = SharedRateLimiter(store, onFailure: .deny)
    server.flush()
    #expect(await limiter.request(for: "user NOSCRIPT").source == .store)
    for text in ["ERR PACING a key holds something else", "WRONGTYPE for PACING: a"] {
      server.behaviour = .fails(text)
      for _ in 0..<5 {
        #expect(await limiter.request(for: "PACING: a").source == .failurePolicy)
        clock.advance(by: .milliseconds(1))
      }
    }
    #expect(store.isAvailable)
  }

  @Test("an answer about a key is an answer: it closes the breaker when its call is the probe")
  func probe() async {
    let clock = ManualClock()
    let server = ScriptedServer(clock)
    let store = server.store()
    let limiter = SharedRateLimiter(store, onFailure: .deny)
    server.behaviour = .fails("connection refused")
    for _ in 0..<3 {
      _ = await limiter.request(for: "a")
      clock.advance(by: .milliseconds(1))
    }
    #expect(!store.isAvailable)
    clock.advance(by: .milliseconds(500))
    server.behaviour = .fails("WRONGTYPE Operation")
    _ = await limiter.request(for: "a")
    #expect(store.isAvailable)
  }

  @Test("an error that quotes the call says nothing by its key", arguments: ["NOSCRIPT", "PACING"])
  func quotedKeys(key: String) async {
    let clock = ManualClock()
    let server = ScriptedServer(clock)
    let store = server.store()
    server.behaviour = .fails("connection lost: EVALSHA \(key)")
    let limiter = SharedRateLimiter(store, onFailure: .deny)
    for calls in 1...3 {
      #expect(await limiter.request(for: key).source == .failurePolicy)
      #expect(server.calls.count == calls)
      clock.advance(by: .milliseconds(1))
    }
    #expect(!store.isAvailable)
  }

  @Test("as many calls are on their way as are allowed, those with them whose callers have left")
  func callLimit() async {
    let clock = ManualClock()
    let server = ScriptedServer(clock)
    let store = server.store(StorePolicy(callLimit: 2))
    let limiter = SharedRateLimiter(store, onFailure: .deny)
    server.behaviour = .holds
    let tasks = ["a", "b"].map { key in Task { await limiter.request(for: key) } }
    await clock.sleepers(atLeast: 2)
    #expect(await limiter.request(for: "c").source == .failurePolicy)
    clock.advance(by: .milliseconds(100))
    for task in tasks { _ = await task.value }
    #expect(await limiter.request(for: "c").source == .failurePolicy)
    #expect(store.statistics.overLimit == 2 && store.statistics.pending == 2)
    #expect(store.isAvailable && server.calls.count == 2)
    server.release()
  }

  @Test("the calls that a dead shard keeps are none of another's")
  func callLimitOfAPart() async throws {
    let clock = ManualClock()
    let server = ScriptedServer(clock)
    let store = server.store(StorePolicy(callLimit: 2, parts: 2))
    let limiter = SharedRateLimiter(store, onFailure: .deny)
    let keys = (0..<100).map { "\($0)" }
    let dead = keys.filter { HashSlot.slot(of: $0) < 8192 }
    let alive = try #require(keys.first { HashSlot.slot(of: $0) >= 8192 })
    server.behaviour = .holds
    let tasks = dead.prefix(2).map { key in Task { await limiter.request(for: key) } }
    await clock.sleepers(atLeast: 2)
    clock.advance(by: .milliseconds(100))
    for task in tasks { _ = await task.value }
    server.behaviour = .answers
    #expect(await limiter.request(for: dead[2]).source == .failurePolicy)
    #expect(await limiter.request(for: alive).source == .store)
    #expect(store.statistics.overLimit == 1 && store.statistics.pending == 2)
    server.release()
  }

  @Test("a dead shard makes its own keys fail, and no others")
  func shards() async {
    let clock = ManualClock()
    let dead = (0..<1000).map { "\($0)" }.filter { HashSlot.slot(of: $0) < 8192 }
    let alive = (0..<1000).map { "\($0)" }.filter { HashSlot.slot(of: $0) >= 8192 }
    let model = ScriptedServer(clock)
    _ = model
    let store = RedisStore(StorePolicy(parts: 2), clock: clock) { call in
      guard HashSlot.slot(of: call.keys[0]) >= 8192 else {
        throw ScriptedServer.Failure(description: "CLUSTERDOWN")
      }
      return [1, 100_000_000]
    }
    let limiter = SharedRateLimiter(store, onFailure: .deny)
    for key in dead.prefix(50) { #expect(await !limiter.tryAcquire(for: key)) }
    for key in alive.prefix(50) { #expect(await limiter.tryAcquire(for: key)) }
    #expect(store.statistics.failed == 3 && store.statistics.spared == 47 && !store.isAvailable)
  }

  @Test("each policy answers requests of every kind")
  func policies() async {
    let server = ScriptedServer(ManualClock())
    server.behaviour = .fails("down")
    let allow = SharedRateLimiter(server.store(), onFailure: .allow)
    #expect(await allow.request(2, for: ["a", "b"]).decision.isAllowed)
    #expect(await allow.take(upTo: 9, for: "a") == 5)
    #expect(await allow.penalize(1, for: "a") == false)
    #expect(await allow.reset("a") == false)
    let deny = SharedRateLimiter(server.store(), onFailure: .deny)
    #expect(await deny.request(2, for: ["a", "b"]).decision.refusedBy == "store")
    #expect(await deny.take(upTo: 9, for: "a") == 0)
    #expect(await deny.request(0, for: "a").isAllowed)
    let local = SharedRateLimiter(server.store(), onFailure: .localShare(of: 2))
    #expect(await local.request(2, for: ["a", "b"]).decision.isAllowed)
    #expect(await local.request(1, for: ["b", "a"]).decision.isAllowed == false)
    #expect(await local.take(upTo: 9, for: "c") == 2)
    #expect(await local.peek(for: "c").retryAfter == .milliseconds(200))
  }

  @Test("a quota that the script cannot count is answered by the policy")
  func unreadable() async throws {
    let server = ScriptedServer(ManualClock())
    let store = server.store()
    let limiter = SharedRateLimiter<String>(in: store, onFailure: .allow, name: { $0 }) { _ in
      Quota(rate: Rate(1, per: .seconds(86_400)), burst: 104_250)
    }
    #expect(await limiter.request(for: "a").source == .failurePolicy)
    #expect(await limiter.request(for: ["a"]).decision.source == .failurePolicy)
    #expect(await limiter.take(upTo: 2, for: "a") == 2)
    #expect(await !limiter.penalize(2, for: "a"))
    #expect(await !limiter.reset("a"))
    try await limiter.acquire(for: "a")
    #expect(store.isAvailable && server.calls.isEmpty && store.statistics.failed > 0)
  }
}
