import Dispatch
import Pacing
import PacingTesting
import TestSupport
import Testing

@Suite("ManualClock: sleeps")
struct ManualSleepTests {
  let clock = ManualClock()
  let log = EventRecorder<Int>()

  private func sleeper(_ milliseconds: Int) -> Task<Bool, Never> {
    Task { [clock, log] in
      do {
        try await clock.sleep(until: .at(milliseconds))
        log.record(milliseconds)
        return true
      } catch {
        #expect(error is CancellationError)
        return false
      }
    }
  }

  @Test("each ends at its deadline, the earliest first")
  func order() async {
    let tasks = [30, 10, 20].map(sleeper)
    await clock.sleepers(atLeast: 3)
    #expect(clock.pendingCount == 3)
    for (index, instant) in [10, 20, 30].enumerated() {
      clock.advance(to: .at(instant - 1))
      #expect(clock.pendingCount == 3 - index)
      clock.advance(to: .at(instant))
      #expect(await tasks[[1, 2, 0][index]].value)
      #expect(log.values.last == instant)
    }
  }

  @Test("one that has come, or has no length, takes no time; one in a cancelled task throws")
  func atOnce() async throws {
    clock.advance(by: .milliseconds(5))
    try await clock.sleep(until: .at(5))
    try await clock.sleep(for: .zero)
    try await clock.sleep(for: .milliseconds(-7))
    let task = Task { [clock] in
      withUnsafeCurrentTask { $0?.cancel() }
      try await clock.sleep(for: .zero)
    }
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(clock.pendingCount == 0)
  }

  @Test("cancelling one frees its entry and leaves the others, and sleepers are counted again")
  func cancel() async {
    let tasks = (1...4).map { sleeper($0 * 10) }
    await clock.sleepers(atLeast: 4)
    tasks[0].cancel()
    tasks[2].cancel()
    #expect(await [tasks[0].value, tasks[2].value] == [false, false])
    #expect(clock.pendingCount == 2)
    await clock.sleepers(atLeast: 2)
    let late = sleeper(50)
    await clock.sleepers(atLeast: 3)
    clock.advance(to: .at(50))
    #expect(await [tasks[1].value, tasks[3].value, late.value] == [true, true, true])
    #expect(clock.pendingCount == 0)
  }

  @Test("sleepers(atLeast:) returns at once where there are enough, to each who waits for its own")
  func sleepers() async {
    await clock.sleepers(atLeast: 0)
    async let one: Void = clock.sleepers(atLeast: 1)
    async let two: Void = clock.sleepers(atLeast: 2)
    let first = sleeper(1)
    await one
    let second = sleeper(1)
    await two
    clock.advance(by: .milliseconds(1))
    #expect(await [first.value, second.value] == [true, true])
  }

  @Test("one that never ends is cancelled like any other")
  func never() async {
    let task = Task { [clock] in
      do { try await clock.sleep(until: .distantFuture) } catch { return true }
      return false
    }
    await clock.sleepers(atLeast: 1)
    clock.advance(to: .distantFuture)
    task.cancel()
    #expect(await task.value)
    #expect(clock.pendingCount == 0)
  }

  @Test("a cancellation and a deadline that race end a sleep once", arguments: Soak.seeds(50))
  func race(seed: UInt64) async {
    let task = sleeper(1)
    await clock.sleepers(atLeast: 1)
    DispatchQueue.concurrentPerform(iterations: 2) { thread in
      if thread == 0 { task.cancel() } else { clock.advance(by: .milliseconds(1)) }
    }
    let hasSlept = await task.value
    #expect(log.values == (hasSlept ? [1] : []))
    #expect(clock.pendingCount == 0)
  }
}
