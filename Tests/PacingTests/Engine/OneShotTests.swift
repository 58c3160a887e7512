import Pacing
import PacingTesting
import TestSupport
import Testing

@Suite("A one-shot's decisions")
struct OneShotStateTests {
  typealias State = OneShotState<String, Int>

  enum Step: Sendable, CustomTestStringConvertible {
    case wait(Int)
    case resolve(String)

    var testDescription: String { "\(self)" }
  }

  /// Every order of the calls that one task and its wakers can make, and the result of each.
  @Test(
    "the first outcome counts, and the waiter is handed out once",
    arguments: [
      ([], []),
      ([.wait(1)], ["keep"]),
      ([.resolve("a")], ["first"]),
      ([.wait(1), .resolve("a")], ["keep", "first, resume 1"]),
      ([.resolve("a"), .wait(1)], ["first", "a"]),
      ([.resolve("a"), .resolve("b"), .wait(1)], ["first", "late", "a"]),
      ([.wait(1), .resolve("a"), .resolve("b")], ["keep", "first, resume 1", "late"]),
      ([.resolve("a"), .wait(1), .resolve("b")], ["first", "a", "late"]),
      ([.resolve("a"), .wait(1), .wait(2)], ["first", "a", "a"]),
    ] as [([Step], [String])])
  func steps(steps: [Step], answers: [String]) {
    var state = State.empty
    let given = steps.map { step in
      switch step {
      case .wait(let waiter): state.wait(waiter) ?? "keep"
      case .resolve(let outcome):
        switch state.resolve(outcome) {
        case .first(let waiter?): "first, resume \(waiter)"
        case .first(nil): "first"
        case .late: "late"
        }
      }
    }
    #expect(given == answers)
    #expect(
      state.isResolved
        == steps.contains { if case .resolve = $0 { true } else { false } })
  }
}

@Suite("OneShot")
struct OneShotTests {
  let clock = ManualClock()

  @Test("an outcome that comes before the wait is returned without suspending")
  func before() async {
    let wait = OneShot<Int>()
    #expect(wait.resolve(1))
    #expect(!wait.resolve(2))
    #expect(await wait.outcome() == 1)
    #expect(await wait.outcome(ifCancelled: 3) == 1)
  }

  @Test("an outcome that comes after the wait began resumes the task")
  func after() async {
    let wait = OneShot<Int>(countedBy: clock.service.manual)
    let task = Task { await wait.outcome() }
    await clock.sleepers(atLeast: 1)
    #expect(wait.resolve(1))
    #expect(!wait.resolve(2))
    #expect(await task.value == 1)
  }

  @Test("a cancelled task gets the outcome that it asked for, unless there is another")
  func cancelled() async {
    let wait = OneShot<Int>(countedBy: clock.service.manual)
    let task = Task { await wait.outcome(ifCancelled: -1) }
    await clock.sleepers(atLeast: 1)
    task.cancel()
    #expect(await task.value == -1)
    #expect(!wait.resolve(1))
  }

  @Test("a wait that cancellation does not concern goes on in a cancelled task")
  func cancellationIgnored() async {
    let wait = OneShot<Int>(countedBy: clock.service.manual)
    let task = Task { await wait.outcome() }
    await clock.sleepers(atLeast: 1)
    task.cancel()
    #expect(wait.resolve(1))
    #expect(await task.value == 1)
  }

  @Test("a manual clock counts the tasks that are suspended, and no others")
  func counted() async {
    let waits = (0..<3).map { _ in OneShot<Int>(countedBy: clock.service.manual) }
    waits[0].resolve(0)
    #expect(await waits[0].outcome() == 0)
    let tasks = waits.dropFirst().map { wait in Task { await wait.outcome() } }
    await clock.sleepers(atLeast: 2)
    waits[1].resolve(1)
    #expect(await tasks[0].value == 1)
    let third = clock.run {
      await OneShot<Int>(countedBy: clock.service.manual).outcome(ifCancelled: 3)
    }
    await clock.sleepers(atLeast: 2)
    third.cancel()
    clock.runReady()
    #expect(await third.result == .success(3))
    waits[2].resolve(2)
    #expect(await tasks[1].value == 2)
  }

  @Test("a sleep that is resolved from outside ends as cancelled, and leaves no entry")
  func sleepEndedFromOutside() async {
    let sleep = OneShot<SleepEnd>(countedBy: clock.service.manual)
    let task = Task { [clock] in
      try await clock.service.sleep(until: .at(1000), as: sleep)
    }
    await clock.sleepers(atLeast: 1)
    #expect(sleep.resolve(.cancelled))
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(clock.pendingCount == 0)
  }
}
