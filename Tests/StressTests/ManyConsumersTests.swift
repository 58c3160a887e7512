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

  // Eight times as many take 8 times as long if linear, 64 times if quadratic: the bound lies
  // between.
  @Test("cost a time that grows with their number, not with its square")
  func isLinear() async {
    _ = await times(10)
    var small = await times(1_000)
    for _ in 0..<2 { small = await zip(small, times(1_000)).map(min) }
    var large = await times(8_000)
    for _ in 0..<2 where !isLinear(small, large) {
      large = await zip(large, times(8_000)).map(min)
    }
    #expect(isLinear(small, large), "\(small) for 1,000, \(large) for 8,000")
  }

  private func isLinear(_ small: [Duration], _ large: [Duration]) -> Bool {
    zip(small, large).allSatisfy { $1 < $0 * 24 }
  }

  /// What a delivery to that many costs, their end, and that all of them leave.
  private func times(_ count: Int) async -> [Duration] {
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

  private static func measure(_ tool: Debouncer<Int>, _ steps: HeldSteps) -> [Duration] {
    let delivery = ThreadTime.measure { tool.flush() }
    steps.run()
    let end = ThreadTime.measure { tool.finish() }
    return [delivery, end, ThreadTime.measure { steps.run() }]
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
