import Dispatch
import Pacing
import PacingTesting
import TestSupport
import Testing

@Suite("Timers and races", .alone)
struct TimerRaceTests {
  @Test(
    "a stream of ticks is taken, cancelled and dropped at any moment", arguments: Soak.seeds(60))
  func streams(seed: UInt64) async {
    let task = Task {
      var last: Tick?
      for await tick in DispatchTimer.ticks(.every(.microseconds(30), first: .now)) {
        #expect(tick.actual >= tick.scheduled)
        if let last { #expect(tick.index == last.index + 1 + tick.missed) }
        last = tick
        if tick.index > Int(seed) { break }
      }
    }
    if seed.isMultiple(of: 3) { task.cancel() }
    await task.value
  }

  @Test("a sleep ends once: at its deadline and not before, or when its task is cancelled")
  func sleeps() async {
    let clock = DispatchClock()
    await withTaskGroup(of: Void.self) { group in
      for index in 0..<400 {
        group.addTask {
          let deadline = clock.now.advanced(by: .microseconds(index * 5))
          let task = Task { try await clock.sleep(until: deadline, tolerance: .microseconds(50)) }
          if index.isMultiple(of: 2) {
            try? await clock.sleep(until: deadline)
            task.cancel()
          }
          do {
            try await task.value
            #expect(clock.now >= deadline)
          } catch {
            #expect(error is CancellationError)
          }
        }
      }
    }
  }
}
