import Pacing
import PacingTesting
import Testing

@testable import PacingRedis

@Suite("SharedRateLimiter: names")
struct NameTests {
  /// Equal as strings, and two keys of a server: one scalar, and a letter with a combining accent.
  private let one = "\u{E9}"
  private let two = "e\u{301}"
  private let clock = ManualClock()
  private let server: ScriptedServer

  init() {
    server = ScriptedServer(clock)
  }

  @Test("the test's names are equal as strings, and not as bytes")
  func premise() {
    #expect(one == two && !one.utf8.elementsEqual(two.utf8))
  }

  @Test("a refusal is remembered for the bytes of its name", arguments: [true, false])
  func refusal(inMemory: Bool) async {
    let limiter = SharedRateLimiter(inMemory ? .inMemory(clock: clock) : server.store())
    #expect(await limiter.take(upTo: 9, for: one) == 5)
    #expect(await !limiter.tryAcquire(for: one))
    let other = await limiter.request(for: two)
    #expect(other.isAllowed && other.source == .store && other.remaining == 4)
    #expect(await limiter.take(upTo: 9, for: two) == 4)
    #expect(await limiter.reset(one))
    #expect(await limiter.request(5, for: one).isAllowed)
    #expect(await !limiter.tryAcquire(for: two))
  }

  @Test("a request gathers behind a call for the bytes of its name")
  func flight() async {
    let limiter = SharedRateLimiter(server.store())
    server.behaviour = .holds
    let names = [one, two]
    var tasks = [Task<Decision, Never>]()
    for name in names {
      tasks.append(Task { await limiter.request(for: name) })
      await clock.sleepers(atLeast: tasks.count)
    }
    #expect(server.calls.count == 2)
    server.behaviour = .answers
    server.release()
    for task in tasks { #expect(await task.value.remaining == 4) }
    #expect(server.calls.map { Array($0.keys[0].utf8) } == names.map { Array($0.utf8) })
  }

  @Test("a lease is spent by the bytes of its name")
  func lease() async {
    let limiter = SharedRateLimiter(
      server.store(), leasing: Lease(atMost: 100, for: .seconds(10)), rate: .perSecond(1),
      burst: 1000)
    for _ in 0..<20 {
      #expect(await limiter.tryAcquire(for: one))
      clock.advance(by: .milliseconds(1))
    }
    #expect(await limiter.request(for: one).source == .lease)
    #expect(await limiter.request(for: two).source == .store)
  }

  @Test("several keys are one if the bytes of their names are")
  func several() async {
    let limiter = SharedRateLimiter(server.store())
    #expect(await limiter.request(2, for: [one, two, one]).decision.isAllowed)
    #expect(server.calls[0].keys.map { Array($0.utf8) } == [one, two].map { Array($0.utf8) })
    #expect(await limiter.peek(for: one).remaining == 2)
  }

  @Test("a local share is that of the bytes of a name")
  func share() async {
    server.behaviour = .fails("down")
    let limiter = SharedRateLimiter(server.store(), onFailure: .localShare(of: 1))
    #expect(await limiter.take(upTo: 9, for: one) == 5)
    #expect(await limiter.take(upTo: 9, for: two) == 5)
    #expect(await limiter.request(for: [two, one]).decision.isAllowed == false)
  }
}
