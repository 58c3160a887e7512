import Dispatch
import Pacing
import PacingTesting
import TestSupport
import Testing

/// None of these tests advances the clock once it waits; a wait in vain never ends.
@Suite("Waiting for handlers on a manual clock")
struct ManualWaitTests {
  @TaskLocal private static var isAdvancing = false

  private let clock = ManualClock()
  private let log = EventRecorder<String>()
  private let gate = Gate<Int>()

  /// What of a poller runs when it is cancelled.
  enum Part: CaseIterable {
    case operation, operationOnMain, handler, handlerOnMain, handlerOnQueue, handlerOfActor
  }

  private actor Desk {}

  private func poller(busyIn part: Part, of desk: Desk) -> Poller<Void> {
    let every = PollSchedule(every: .seconds(5))
    // A function, since it runs where its caller does; a closure that captures would step from the
    // main actor into the clock's time, and wait for the next `advance`.
    @Sendable func work() async {
      await gate.pass(1)
      log.record("ended")
    }
    let semaphore = DispatchSemaphore(value: 0)
    let onMain: @MainActor @Sendable () async -> Void = { await work() }
    switch part {
    case .operation:
      return Poller(every, clock: clock) {
        await work()
      }.handle { _ in
      }
    case .operationOnMain:
      return Poller(every, clock: clock) {
        await onMain()
      }.handle { _ in
      }
    case .handler:
      return Poller(every, clock: clock) {
      }.handle { _ in
        await work()
      }
    case .handlerOnMain:
      return Poller(every, clock: clock) {
      }.handle(on: .main) { _ in
        await work()
      }
    case .handlerOnQueue:
      return Poller(every, clock: clock) {
      }.handle(on: .queue(DispatchQueue(label: "handlers"))) { _ in
        Task {
          await work()
          semaphore.signal()
        }
        semaphore.wait()
      }
    case .handlerOfActor:
      return Poller(every, clock: clock) {
      }.handle(in: desk) { _, _ in
        await work()
      }
    }
  }

  @Test("cancelAndWait of a poller returns when what runs has ended", arguments: Part.allCases)
  func poller(part: Part) async {
    let desk = Desk()
    let poller = poller(busyIn: part, of: desk)
    poller.start()
    clock.advance(by: .zero)
    await gate.arrival(1)
    let waiting = Task.eager { [log] in
      await poller.cancelAndWait()
      log.record("waited")
    }
    #expect(log.values == [])
    gate.open(1)
    await waiting.value
    #expect(log.values == ["ended", "waited"] && clock.pendingCount == 0)
    await poller.cancelAndWait()
    withExtendedLifetime(desk) {}
  }

  @Test("several tasks wait for the end of one poller")
  func several() async {
    let desk = Desk()
    let poller = poller(busyIn: .handlerOnMain, of: desk)
    poller.start()
    clock.advance(by: .zero)
    await gate.arrival(1)
    let waiting = (1...3).map { _ in
      Task.eager { [log] in
        await poller.cancelAndWait()
        log.record("waited")
      }
    }
    gate.open(1)
    for task in waiting { await task.value }
    #expect(log.values == ["ended", "waited", "waited", "waited"])
  }

  @Test("flushAndWait runs the handlers of the library's threads")
  func flush() async {
    let tool = Debouncer<Int>(for: .seconds(1), clock: clock) { [log] in log.record("\($0)") }
    tool.send(1)
    tool.flush()
    tool.send(2)
    #expect(await tool.flushAndWait())
    #expect(log.values == ["1", "2"] && clock.now == .at(0))
    #expect(await tool.flushAndWait() == false)
  }

  @Test("flushAndWait of a batcher and of a keyed tool runs every handler")
  func flushAll() async {
    let batcher = Batcher<Int>(BatchLimit(maximumCount: 2), clock: clock) { [log] in
      log.record("\($0)")
    }
    for value in 0..<3 { batcher.send(value) }
    #expect(await batcher.flushAndWait())
    #expect(log.takeAll() == ["[0, 1]", "[2]"])
    let keyed = KeyedThrottler<Int, Int>(every: .seconds(1), edges: .trailing, clock: clock) {
      [log] in log.record("\($0) \($1)")
    }
    for key in 0..<3 { keyed.send(7, for: key) }
    #expect(await keyed.flushAndWait())
    #expect(log.values.sorted() == ["0 7", "1 7", "2 7"])
  }

  @Test("flushAndWait ends although the handler keeps sending, and runs no more than it waits for")
  func busy() async {
    let home = Slot<Throttler<Int>>()
    let tool = Throttler<Int>(every: .zero, clock: clock) { [log] value in
      log.record("\(value)")
      if value < 20_000 { home.value?.send(value + 1) }
    }
    home.put(tool)
    tool.send(0)
    await tool.flushAndWait()
    #expect(log.values == ["0"])
    home.put(nil)
  }

  @Test("cancelAndWait withdraws what has not begun")
  func cancel() async {
    let tool = Debouncer<Int>(for: .seconds(1), clock: clock) { [log] in log.record("\($0)") }
    tool.send(1)
    tool.flush()
    #expect(await tool.cancelAndWait() == 1)
    let timer = DispatchTimer(.every(.seconds(1)), clock: clock) { [log] _ in log.record("tick") }
    timer.start()
    clock.lapse(by: .seconds(1))
    #expect(await timer.cancelAndWait())
    clock.advance(by: .seconds(5))
    #expect(log.values == [])
  }

  @Test("what an advance decides, or is to run, is not run by a task that waits")
  func others() async {
    let burst = Debouncer<Int>(for: .seconds(1), clock: clock) { [log] in
      log.record("\($0) \(Self.isAdvancing)")
    }
    // A step of this task is kept before the handler, and would wake the task that waits.
    let ticks = burst.ticks()
    clock.run { for await _ in ticks {} }
    let desk = Desk()
    let poller = poller(busyIn: .handlerOnMain, of: desk)
    poller.start()
    clock.advance(by: .zero)
    await gate.arrival(1)
    let waiting = Task.eager { await poller.cancelAndWait() }
    let tool = Throttler<Int>(every: .seconds(1), clock: clock) { [log] in
      log.record("\($0) \(Self.isAdvancing)")
    }
    for round in 0..<200 {
      tool.send(1)
      tool.send(2)
      burst.send(3)
      #expect(log.values == [], "round \(round)")
      Self.$isAdvancing.withValue(true) { clock.advance(by: .seconds(2)) }
      #expect(log.takeAll() == ["1 true", "3 true", "2 true"], "round \(round)")
    }
    burst.finish()
    clock.runReady()
    gate.open(1)
    await waiting.value
    #expect(log.values == ["ended"])
  }

  @Test("a task that waits while a handler of an advance runs leaves the next one to the advance")
  func duringAHandler() async {
    let tool = Debouncer<Int>(for: .seconds(9), clock: clock) { [log] in log.record("\($0)") }
    tool.send(1)
    let waiting = Slot<Task<Bool, Never>>()
    let other = Throttler<Int>(every: .seconds(1), clock: clock).handle { [log] _ in
      log.record("begins")
      // Takes its steps here until it has to wait.
      waiting.put(Task.eager { await tool.flushAndWait() })
      log.record("ends")
    }
    other.send(2)
    clock.advance(by: .zero)
    #expect(log.values == ["begins", "ends", "1"])
    #expect(await waiting.value?.value == true)
  }

  @Test("inside run, handlers keep their turn")
  func inside() async {
    let tool = Debouncer<Int>(for: .seconds(1), clock: clock) { [log] in log.record("\($0)") }
    tool.send(1)
    let waiting = clock.run { [log] in
      log.record("begins")
      await tool.flushAndWait()
      log.record("waited")
    }
    #expect(log.values == ["begins", "1", "waited"])
    await waiting.value
  }

  @Test("inside run, a poller ends in its turn")
  func insideWithPoller() async {
    let poller = Poller(PollSchedule(every: .seconds(5)), clock: clock) { [clock] in
      try await clock.sleep(for: .seconds(9))
    }.handle { _ in
    }
    poller.start()
    clock.advance(by: .zero)
    let waiting = clock.run { [log] in
      await poller.cancelAndWait()
      log.record("waited")
    }
    #expect(log.values == ["waited"])
    await waiting.value
  }
}
