import Pacing
import PacingTesting
import TestSupport
import Testing

@Suite("ManualClock: tasks")
struct ManualTaskTests {
  let clock = ManualClock()
  let log = EventRecorder<String>()

  private func note(_ text: String) {
    log.record("\(text)@\(clock.now.milliseconds)")
  }

  @Test("a task runs inside advance, each wait ending at its instant")
  func sleeps() async throws {
    let task = clock.run { [self] in
      note("begins")
      try await clock.sleep(for: .milliseconds(10))
      note("first")
      try await clock.sleep(for: .milliseconds(5))
      note("second")
      return "done"
    }
    #expect(log.takeAll() == ["begins@0"])
    clock.advance(by: .milliseconds(14))
    #expect(log.takeAll() == ["first@10"])
    clock.advance(by: .seconds(1))
    #expect(log.takeAll() == ["second@15"])
    #expect(try await task.value == "done")
  }

  @Test("a stream's values, tokens and retries come at their instants")
  func tools() async {
    let edits = Debouncer<String>(for: .milliseconds(30), clock: clock)
    let bucket = TokenBucket(rate: .every(.milliseconds(50)), burst: 1, clock: clock)
    clock.run { [self] in
      for await text in edits.ticks() {
        _ = try? await bucket.acquire()
        note(text)
      }
      note("end")
    }
    edits.send("a")
    clock.advance(by: .milliseconds(30))
    edits.send("b")
    clock.advance(by: .milliseconds(100))
    edits.finish()
    clock.advance(by: .zero)
    #expect(log.values == ["a@30", "b@80", "end@130"])
  }

  @Test("the code of actors, and child tasks, run there too")
  func actors() async throws {
    actor Counter {
      var count = 0
      func add(on clock: ManualClock) async throws -> Int {
        count += 1
        try await clock.sleep(for: .milliseconds(10))
        count += 1
        return count
      }
    }
    let counter = Counter()
    let task = clock.run { [self] in
      try await withThrowingTaskGroup(of: Int.self) { group in
        for _ in 0..<3 { group.addTask { try await counter.add(on: clock) } }
        for try await count in group { note("\(count)") }
      }
    }
    #expect(clock.pendingCount == 3)
    clock.advance(by: .milliseconds(10))
    #expect(log.values == ["4@10", "5@10", "6@10"])
    try await task.value
  }

  @Test("a cancelled task ends with the next advance")
  func cancel() async {
    let task = clock.run { [self] in
      do { try await clock.sleep(for: .seconds(1)) } catch { note("cancelled") }
    }
    task.cancel()
    #expect(clock.pendingCount == 0)
    clock.runReady()
    #expect(log.values == ["cancelled@0"])
    await task.value
  }

  @Test("task-local values and the test's own task are what they were")
  func nesting() async {
    enum Local { @TaskLocal static var name = "none" }
    await Local.$name.withValue("test") {
      let task = clock.run { [self] in
        note(Local.name)
        await Local.$name.withValue("inner") {
          try? await clock.sleep(for: .milliseconds(1))
          note(Local.name)
        }
      }
      clock.advance(by: .milliseconds(1))
      #expect(Local.name == "test")
      #expect(!Task.isCancelled)
      await task.value
    }
    #expect(log.values == ["test@0", "inner@1"])
  }

  @Test("what a test starts on the main actor runs in its advance as well")
  @MainActor
  func onMain() {
    let task = clock.run { [self] in
      try await clock.sleep(for: .milliseconds(1))
      note("off the main actor")
    }
    clock.advance(by: .milliseconds(1))
    #expect(log.values == ["off the main actor@1"])
    task.cancel()
  }

  @Test("an operator reads its upstream there, and deliveries come at their instants")
  func operators() {
    let clock = ManualClock(step: .milliseconds(10))
    let (keys, input) = AsyncStream.makeStream(of: Character.self)
    let seen = EventRecorder<Character>(clock: clock)
    clock.run {
      await seen.record(
        from: keys.debounced(for: .milliseconds(30), clock: clock)
          .throttled(every: .milliseconds(60), clock: clock))
    }
    clock.play("a-b---c----d--------|--", into: input)
    #expect(seen.marbles == "-----b-----c-----d--|--")
  }

  @Test("a task may outlive its clock")
  func outlives() async {
    let (values, input) = AsyncStream.makeStream(of: Int.self)
    let task = ManualClock().run { for await _ in values {} }
    input.yield(1)
    input.finish()
    task.cancel()
  }
}
