import Pacing
import PacingTesting
import Synchronization
import Testing

@Suite("retry")
struct RetryTests {
  struct Flaky: Error, Equatable { var number = 0 }

  /// The ends reported to the policy.
  final class Ends: Sendable {
    private let ends = Mutex<[GiveUp]>([])
    func append(_ end: GiveUp) { ends.withLock { $0.append(end) } }
    var all: [GiveUp] { ends.withLock { $0 } }
  }

  let clock = ManualClock()
  let ends = Ends()

  func policy(attempts: Int? = 4, maximumDuration: Duration? = nil) -> RetryPolicy {
    RetryPolicy(
      backoff: .exponential(from: .milliseconds(100)), maximumAttempts: attempts,
      maximumDuration: maximumDuration, onGiveUp: { [ends] in ends.append($0) })
  }

  /// Advances the clock to the end of each wait, and returns those instants.
  func run(waits: Int) async -> [Duration] {
    var instants = [Duration]()
    for _ in 0..<waits {
      await clock.sleepers(atLeast: 1)
      clock.advance(to: clock.nextDeadline!)
      instants.append(PacingInstant(nanoseconds: 0).duration(to: clock.now))
    }
    return instants
  }

  @Test("returns the first success, after the backoff's delays")
  func succeeds() async throws {
    async let instants = run(waits: 2)
    let result = try await retry(policy(), clock: clock) { attempt in
      if attempt.number < 3 { throw Flaky() }
      return attempt
    }
    #expect(result == Attempt(number: 3, delay: .milliseconds(200)))
    #expect(await instants == [.milliseconds(100), .milliseconds(300)])
    #expect(ends.all.isEmpty)
    #expect(clock.pendingCount == 0)
  }

  @Test("throws the last failure, with its own type, when the attempts are exhausted")
  func exhausted() async {
    async let instants = run(waits: 3)
    do throws(Flaky) {
      try await retry(policy(), clock: clock) { attempt throws(Flaky) in
        throw Flaky(number: attempt.number)
      }
    } catch {
      #expect(error == Flaky(number: 4))
    }
    #expect(await instants == [.milliseconds(100), .milliseconds(300), .milliseconds(700)])
    #expect(ends.all.map(\.reason) == [.exhausted])
    #expect(ends.all.first?.attempts == 4)
  }

  @Test("throws the last failure at once where the deadline leaves no room for the delay")
  func deadline() async {
    async let instants = run(waits: 1)
    await #expect(throws: Flaky(number: 2)) {
      try await retry(policy(maximumDuration: .milliseconds(300)), clock: clock) { attempt in
        throw Flaky(number: attempt.number)
      }
    }
    #expect(await instants == [.milliseconds(100)])
    #expect(ends.all.map(\.reason) == [.deadline])
    #expect(ends.all.first?.neededDelay == .milliseconds(200))
    #expect(clock.now == PacingInstant(nanoseconds: 100_000_000))
  }

  @Test("does not retry what the predicate rejects")
  func rejected() async {
    let policy = RetryPolicy(
      backoff: .none, retryIf: { ($0 as? Flaky)?.number != 1 },
      onGiveUp: { [ends] in ends.append($0) })
    await #expect(throws: Flaky(number: 1)) {
      try await retry(policy, clock: clock) { throw Flaky(number: $0.number) }
    }
    #expect(ends.all.map(\.reason) == [.permanent])
  }

  @Test("a cancelled wait ends at once, with a CancellationError where one can be thrown")
  func cancelledWait() async {
    let task = Task {
      try await retry(policy(), clock: clock) { _ in throw Flaky() }
    }
    await clock.sleepers(atLeast: 1)
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(clock.pendingCount == 0)
    #expect(ends.all.map(\.reason) == [.cancelled])
    #expect(ends.all.first?.attempts == 1)
    #expect(ends.all.first?.error is Flaky)
  }

  @Test("a cancelled wait ends with the last failure where the type has no room for another")
  func cancelledWaitTyped() async {
    let task = Task { () async -> Flaky? in
      do throws(Flaky) {
        try await retry(policy(), clock: clock) { attempt throws(Flaky) in
          throw Flaky(number: attempt.number)
        }
        return nil
      } catch {
        return error
      }
    }
    await clock.sleepers(atLeast: 1)
    task.cancel()
    #expect(await task.value == Flaky(number: 1))
  }

  @Test("in a cancelled task the first attempt still runs, and no second one")
  func cancelledBefore() async {
    let task = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      var made = 0
      do {
        try await retry(policy(), clock: clock) { _ in
          made += 1
          #expect(Task.isCancelled)
          throw Flaky()
        }
      } catch {
        #expect(error is CancellationError)
      }
      return made
    }
    #expect(await task.value == 1)
  }

  @Test("an operation that cannot fail needs no try")
  func infallible() async {
    let value = await retry(policy(), clock: clock) { $0.number }
    #expect(value == 1)
  }

  /// Not Sendable, and not thread-safe.
  final class Page { var loads = 0 }

  @Test("runs on the caller's actor, and nothing needs to be Sendable")
  @MainActor func isolation() async throws {
    let page = Page()
    let policy = RetryPolicy(backoff: .none)
    let result = try await retry(policy, clock: clock) { attempt in
      MainActor.assertIsolated()
      page.loads += 1
      if attempt.number < 3 { throw Flaky() }
      return page
    }
    #expect(result === page)
    #expect(page.loads == 3)
  }

  actor Loader {
    var page = Page()
    func load(_ clock: ManualClock) async throws -> Int {
      try await retry(RetryPolicy(backoff: .none), clock: clock) { attempt in
        page.loads += 1
        if attempt.number < 2 { throw Flaky() }
      }
      return page.loads
    }
  }

  @Test("runs on an actor of the caller's")
  func actorIsolation() async throws {
    #expect(try await Loader().load(clock) == 2)
  }
}
