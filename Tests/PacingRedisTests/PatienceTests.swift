import Pacing
import PacingTesting
import TestSupport
import Testing

@testable import PacingRedis

@Suite("RedisStore: how long callers wait, and for how many calls")
struct PatienceTests {
  private let clock = ManualClock()
  private let server: ScriptedServer
  private let meeting = Meeting()

  init() {
    server = ScriptedServer(clock)
  }

  /// Begins requests of these costs while the call of the first of them is held.
  private func gather(
    _ costs: [Int], in limiter: SharedRateLimiter<String>
  ) async -> [Task<Decision, Never>] {
    server.behaviour = .holds
    var tasks = [Task<Decision, Never>]()
    for cost in costs {
      tasks.append(Task { await limiter.request(cost, for: "a") })
      await clock.sleepers(atLeast: tasks.count)
    }
    return tasks
  }

  @Test("a request that gathers behind slow calls waits for one timeout in all")
  func oneTimeout() async {
    let store = server.store()
    let limiter = SharedRateLimiter(store)
    let tasks = await gather([1, 2, 3], in: limiter)
    clock.advance(by: .milliseconds(30))
    server.release()
    #expect(await tasks[0].value.source == .store)
    await server.isHolding()
    clock.advance(by: .milliseconds(20))
    #expect(await tasks[1].value.source == .failurePolicy)
    #expect(await tasks[2].value.source == .failurePolicy)
    // Its caller was late, and not the call: the store answers within its timeout.
    #expect(store.statistics.timedOut == 0)
    server.behaviour = .answers
    server.release()
    #expect(store.isAvailable)
  }

  @Test("a request that came later than another of its call waits on for the answer")
  func eachItsOwn() async {
    let limiter = SharedRateLimiter(server.store())
    server.behaviour = .holds
    let first = Task { await limiter.request(for: "a") }
    await clock.sleepers(atLeast: 1)
    clock.advance(by: .milliseconds(1))
    let second = Task { await limiter.request(2, for: "a") }
    await clock.sleepers(atLeast: 2)
    clock.advance(by: .milliseconds(28))
    let third = Task { await limiter.request(2, for: "a") }
    await clock.sleepers(atLeast: 3)
    clock.advance(by: .milliseconds(1))
    server.release()
    #expect(await first.value.source == .store)
    await server.isHolding()
    clock.advance(by: .milliseconds(21))
    #expect(await second.value.source == .failurePolicy)
    clock.advance(by: .milliseconds(9))
    server.release()
    let decision = await third.value
    #expect(decision.source == .store && decision.isAllowed)
  }

  @Test("a call that its caller does not wait for to its end is late all the same")
  func noted() async {
    let store = server.store(StorePolicy(failureCount: 1))
    let limiter = SharedRateLimiter(store)
    let tasks = await gather([1, 2], in: limiter)
    clock.advance(by: .milliseconds(30))
    server.release()
    #expect(await tasks[0].value.source == .store)
    await server.isHolding()
    clock.advance(by: .milliseconds(20))
    #expect(await tasks[1].value.source == .failurePolicy && store.isAvailable)
    clock.advance(by: .milliseconds(30))
    #expect(store.statistics.timedOut == 1 && !store.isAvailable)
    server.release()
  }

  @Test("a call that has ended makes room for the next one of its key")
  func callLimit() async {
    let store = server.store(StorePolicy(callLimit: 1))
    let tasks = await gather([1, 2], in: SharedRateLimiter(store))
    server.behaviour = .answers
    server.release()
    for task in tasks { #expect(await task.value.source == .store) }
    #expect(store.statistics.overLimit == 0)
  }

  @Test("thousands of calls one after the other, of a client that never waits, need no deep stack")
  func depth() async {
    let limiter = SharedRateLimiter(server.store(), burst: 20_000_000)
    let tasks = await gather(Array(1...5_000), in: limiter)
    server.behaviour = .answers
    server.release()
    for task in tasks { #expect(await task.value.source == .store) }
    #expect(server.calls.count == 5_000)
  }

  @Test("a share of a quota that changes keeps what was spent of it")
  func changedShare() async {
    server.behaviour = .fails("down")
    let burst = Locked(5)
    let limiter = SharedRateLimiter<String>(
      in: server.store(), onFailure: .localShare(of: 1), name: { $0 }
    ) { _ in
      Quota(rate: .perSecond(1), burst: burst.withLock { $0 })
    }
    #expect(await limiter.take(upTo: 9, for: "a") == 5)
    burst.withLock { $0 = 6 }
    #expect(await limiter.take(upTo: 9, for: "a") == 1)
    #expect(limiter.statistics.granted == 2 && limiter.statistics.byFailurePolicy == 2)
  }

  @Test("a share of as many instances as there can be is the slowest rate")
  func slowestShare() async {
    server.behaviour = .fails("down")
    let limiter = SharedRateLimiter(server.store(), onFailure: .localShare(of: .max))
    #expect(await limiter.tryAcquire(for: "a"))
    #expect(await !limiter.tryAcquire(for: "a"))
  }

  @Test("each subscriber sees each change once, and in order")
  func states() async {
    for _ in Soak.seeds(300) {
      for stream in subscriptions() {
        var seen = [Bool]()
        for await state in stream { seen.append(state == .available) }
        #expect(seen.last == true)
        #expect(zip(seen, seen.dropFirst()).allSatisfy { $0.0 != $0.1 })
      }
    }
  }

  /// The streams of a store that two threads have made available and not, and that is gone.
  private func subscriptions() -> [AsyncStream<StoreState>] {
    let store = server.store(StorePolicy(failureCount: 1))
    let change: @Sendable (Int) -> Void = { [clock] step in
      store.note(step.isMultiple(of: 2) ? .timeout : nil, part: 0, begun: clock.now)
    }
    let (streams, _) = meeting.of {
      (0..<4).map { step in
        change(step)
        return store.states()
      }
    } _: {
      for step in 0..<4 { change(step) }
    }
    change(0)
    change(1)
    return streams
  }
}
