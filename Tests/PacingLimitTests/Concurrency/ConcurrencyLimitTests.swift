import PacingTesting
import TestSupport
import Testing

@testable import Pacing

@Suite("ConcurrencyLimit")
struct ConcurrencyLimitTests {
  let clock = ManualClock()

  /// Requests a permit, and records the answer under a name; keeps the permit.
  @discardableResult
  func ask(
    _ name: String, _ limit: ConcurrencyLimit, within timeout: Duration? = nil,
    in answers: EventRecorder<String>, keeping permits: Permits
  ) -> Acquisition {
    limit.acquire(within: timeout) { result in
      switch result {
      case .success(let permit):
        permits.keep(permit, as: name)
        answers.record(name)
      case .failure(let error): answers.record("\(name): \(error.reason)")
      }
    }
  }

  /// Permits by the names of their holders.
  final class Permits: Sendable {
    private let held = Locked([String: Permit]())

    func keep(_ permit: Permit, as name: String) { held.withLock { $0[name] = permit } }

    func release(_ name: String) {
      let permit = held.withLock { $0.removeValue(forKey: name) }
      permit?.release()
    }
  }

  @Test("grants as many permits as its count, and the others in turn as permits come back")
  func inTurn() {
    let limit = ConcurrencyLimit(2, clock: clock)
    let (answers, permits) = (EventRecorder<String>(), Permits())
    for name in ["a", "b", "c", "d"] { ask(name, limit, in: answers, keeping: permits) }
    clock.advance(by: .zero)
    #expect(answers.values == ["a", "b"])
    #expect(limit.heldCount == 2 && limit.waitingCount == 2 && limit.available == -2)
    #expect(limit.tryAcquire() == nil)
    permits.release("b")
    #expect(limit.tryAcquire() == nil, "no call overtakes a waiter")
    clock.advance(by: .zero)
    #expect(answers.values == ["a", "b", "c"])
    for name in ["a", "c", "c"] { permits.release(name) }
    clock.advance(by: .zero)
    #expect(answers.values == ["a", "b", "c", "d"])
    #expect(limit.heldCount == 1 && limit.available == 1)
    #expect(limit.statistics == LimitStatistics(granted: 4, refused: 2, tokens: 4))
    #expect(clock.pendingCount == 0)
  }

  @Test("a permit is given back once: by its release, or with its last reference")
  func givesBackOnce() throws {
    let limit = ConcurrencyLimit(1, clock: clock)
    var permit = try #require(limit.tryAcquire())
    permit.release()
    permit.release()
    #expect(limit.available == 1)
    permit = try #require(limit.tryAcquire())
    #expect(limit.available == 0)
    withExtendedLifetime(permit) {}
    do {
      let other = ConcurrencyLimit(3, clock: clock)
      _ = other.tryAcquire()
      #expect(other.heldCount == 0)
    }
    permit.release()
    #expect(limit.tryAcquire() != nil)
  }

  @Test("a task that waits too long is refused at its deadline, and not before")
  func deadlines() {
    let limit = ConcurrencyLimit(1, clock: clock)
    let (answers, permits) = (EventRecorder<String>(), Permits())
    ask("a", limit, in: answers, keeping: permits)
    ask("b", limit, within: .seconds(2), in: answers, keeping: permits)
    ask("c", limit, within: .seconds(1), in: answers, keeping: permits)
    ask("d", limit, within: .zero, in: answers, keeping: permits)
    clock.advance(by: .nanoseconds(999_999_999))
    #expect(answers.values == ["a", "d: deadline"])
    #expect(clock.pendingCount == 2)
    clock.advance(by: .nanoseconds(1))
    #expect(answers.values == ["a", "d: deadline", "c: deadline"])
    clock.advance(by: .nanoseconds(999_999_999))
    permits.release("a")
    clock.advance(by: .zero)
    #expect(answers.values.last == "b")
    #expect(clock.pendingCount == 0)
  }

  @Test("a permit that comes back at a waiter's deadline is for the next, however late the timer")
  func lateTimer() {
    let limit = ConcurrencyLimit(1, clock: clock)
    let (answers, permits) = (EventRecorder<String>(), Permits())
    ask("a", limit, in: answers, keeping: permits)
    ask("b", limit, within: .seconds(1), in: answers, keeping: permits)
    ask("c", limit, within: .seconds(2), in: answers, keeping: permits)
    clock.advance(by: .zero)
    clock.lapse(by: .seconds(1))
    permits.release("a")
    clock.advance(by: .zero)
    #expect(answers.values == ["a", "b: deadline", "c"])
  }

  @Test("an operation has its permit until it ends, whether it returns or throws")
  func operations() async throws {
    struct Failure: Error {}
    let limit = ConcurrencyLimit(1, clock: clock)
    #expect(try await limit.withPermit { limit.available } == 0)
    #expect(limit.available == 1)
    await #expect(throws: Failure.self) { try await limit.withPermit { throw Failure() } }
    #expect(limit.available == 1)
    let permit = try await limit.acquire(within: .zero)
    await #expect(throws: AcquireError.deadline(neededWait: nil)) {
      try await limit.withPermit(within: .zero) { Issue.record("it holds no permit") }
    }
    permit.release()
  }

  @Test("a task that is cancelled leaves the queue, and takes nothing")
  func cancellation() async throws {
    let limit = ConcurrencyLimit(1, clock: clock)
    let permit = try #require(limit.tryAcquire())
    let task = Task { try await limit.acquire() }
    while limit.waitingCount == 0 { await Task.yield() }
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(limit.waitingCount == 0)
    let late = Task {
      while !Task.isCancelled { await Task.yield() }
      return try await limit.acquire()
    }
    late.cancel()
    await #expect(throws: CancellationError.self) { try await late.value }
    permit.release()
    #expect(limit.available == 1 && limit.statistics.withdrawn == 1)
  }

  @Test("another count counts at once; permits above it stay, and none is granted until they go")
  func reconfigure() {
    let limit = ConcurrencyLimit(1, clock: clock)
    let (answers, permits) = (EventRecorder<String>(), Permits())
    for name in ["a", "b", "c", "d"] { ask(name, limit, in: answers, keeping: permits) }
    limit.reconfigure(3)
    clock.advance(by: .zero)
    #expect(answers.values == ["a", "b", "c"] && limit.count == 3)
    limit.reconfigure(1)
    #expect(limit.heldCount == 3 && limit.available == -3)
    permits.release("a")
    permits.release("b")
    clock.advance(by: .zero)
    #expect(answers.values == ["a", "b", "c"])
    permits.release("c")
    clock.advance(by: .zero)
    #expect(answers.values == ["a", "b", "c", "d"])
  }

  @Test("a closed limit refuses who waits and who comes; permits stay valid")
  func close() async {
    let limit = ConcurrencyLimit(1, clock: clock)
    let (answers, permits) = (EventRecorder<String>(), Permits())
    ask("a", limit, in: answers, keeping: permits)
    ask("b", limit, within: .seconds(9), in: answers, keeping: permits)
    limit.close()
    ask("c", limit, in: answers, keeping: permits)
    clock.advance(by: .zero)
    #expect(answers.values == ["a", "b: closed", "c: closed"])
    permits.release("a")
    #expect(limit.available == 1 && limit.tryAcquire() == nil)
    await #expect(throws: AcquireError.closed) { _ = try await limit.acquire() }
    #expect(clock.pendingCount == 0)
  }

  @Test("a full queue refuses the newest or the oldest, and may serve the newest first")
  func policies() {
    let (answers, permits) = (EventRecorder<String>(), Permits())
    var policy = QueuePolicy(maximumWaiters: 1)
    for whenFull in [WhenFull.refuse, .makeRoom] {
      policy = QueuePolicy(maximumWaiters: 1, whenFull: whenFull)
      let limit = ConcurrencyLimit(1, queue: policy, clock: clock)
      for name in ["a", "b", "c"] { ask(name, limit, in: answers, keeping: permits) }
      clock.advance(by: .zero)
      limit.close()
    }
    clock.advance(by: .zero)
    #expect(
      answers.values == [
        "a", "c: queue is full", "b: closed", "a", "b: queue is full", "c: closed",
      ])
    let (order, held) = (EventRecorder<String>(), Permits())
    let limit = ConcurrencyLimit(1, queue: QueuePolicy(newestFirst: true), clock: clock)
    for name in ["a", "b", "c"] { ask(name, limit, in: order, keeping: held) }
    for name in ["a", "c"] {
      clock.advance(by: .zero)
      held.release(name)
    }
    clock.advance(by: .zero)
    #expect(order.values == ["a", "c", "b"])
  }

  @Test("a request that waits keeps its limit alive, and a permit does not")
  func lifetime() throws {
    let (answers, permits) = (EventRecorder<String>(), Permits())
    weak var weakly: ConcurrencyLimit?
    do {
      let limit = ConcurrencyLimit(1, clock: clock)
      weakly = limit
      for name in ["a", "b"] { ask(name, limit, in: answers, keeping: permits) }
    }
    #expect(weakly != nil)
    permits.release("a")
    clock.advance(by: .zero)
    permits.release("a")
    clock.advance(by: .zero)
    #expect(answers.values == ["a", "b"])
    #expect(weakly == nil)
    permits.release("b")
  }
}
