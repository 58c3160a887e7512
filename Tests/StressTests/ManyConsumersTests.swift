import Dispatch
import Foundation
import Pacing
import Synchronization
import TestSupport
import Testing

/// Keeps the steps of tasks until the test runs them: none runs beside what is measured.
private final class HeldSteps: TaskExecutor {
  private let steps = Locked([UnownedJob]())

  func enqueue(_ step: consuming ExecutorJob) {
    let step = UnownedJob(step)
    steps.withLock { $0.append(step) }
  }

  /// Runs what tasks can do until all of them wait.
  func run() {
    while let step = steps.withLock({ $0.popLast() }) {
      step.runSynchronously(on: asUnownedTaskExecutor())
    }
  }
}

@Suite("Many consumers of one tool", .alone)
struct ManyConsumersTests {

  @Test("cost a time that grows with their number, not with its square")
  func isLinear() async {
    func times(_ count: Int) async -> (delivery: Duration, end: Duration) {
      let tool = Debouncer<Int>(for: .seconds(1_000))
      let steps = HeldSteps()
      let tasks = (0..<count).map { _ in
        Task(executorPreference: steps) {
          var received = 0
          for await _ in tool.ticks() { received += 1 }
          return received
        }
      }
      steps.run()
      tool.send(1)
      let times = Self.measure(tool, steps)
      for task in tasks { #expect(await task.value == 1) }
      return times
    }
    _ = await times(10)
    // Eight times as many take 8 times as long if linear, 64 times if quadratic: the bound lies
    // between.
    var base = (delivery: Duration.seconds(1), end: Duration.seconds(1))
    for _ in 0..<3 {
      let times = await times(1_000)
      base = (min(base.delivery, times.delivery), min(base.end, times.end))
    }
    var isLinear = (delivery: false, end: false)
    for _ in 0..<3 {
      let times = await times(8_000)
      isLinear.delivery = isLinear.delivery || times.delivery < base.delivery * 24
      isLinear.end = isLinear.end || times.end < base.end * 24
    }
    #expect(isLinear.delivery && isLinear.end, "more than 24 times \(base)")
  }

  private static func measure(_ tool: Debouncer<Int>, _ steps: HeldSteps) -> (Duration, Duration) {
    let delivery = ThreadTime.measure { tool.flush() }
    steps.run()
    let end = ThreadTime.measure { tool.finish() }
    steps.run()
    return (delivery, end)
  }

  // Runs only alone on the machine: it takes every thread behind `.shared` from all other tests.
  @Test(
    "get what the timer decides while every thread for handlers is blocked",
    .enabled(if: LoadTests.isFull))
  func blockedHandlers() async {
    let (gate, begun) = (DispatchSemaphore(value: 0), Counter())
    let count = 300
    let timers = (0..<count).map { _ in
      DispatchTimer.scheduled(after: .zero) {
        begun.add()
        gate.wait()
      }
    }
    let tool = Debouncer<Int>(for: .milliseconds(50))
    let reader = Task.eager {
      var values = [Int]()
      for await value in tool.ticks() {
        values.append(value)
        // More handlers are blocked than there are threads, so some have not started.
        if begun.value < count { values.append(-value) }
        break
      }
      return values
    }
    let watchdog = Task {
      try await Task.sleep(for: .seconds(60))
      for _ in 0..<count { gate.signal() }
    }
    tool.send(1)
    #expect(await reader.value == [1, -1])
    watchdog.cancel()
    for _ in 0..<count { gate.signal() }
    withExtendedLifetime(timers) {}
  }
}
