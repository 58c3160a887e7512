import Pacing
import TestSupport
import Testing

extension LoadTests {
  @Suite("Load: streams of ticks")
  struct StreamLoad {
    @Test("whatever slow consumers do not take is counted as missed, and nothing is early")
    func slowConsumers() async {
      let clock = DispatchClock.apart()
      let count = LoadTests.count(10_000)
      await LoadTests.memory("\(count) streams") {
        let end = clock.now.advanced(by: .seconds(LoadTests.isFull ? 5 : 1))
        let (taken, missed) = (Counter(), Counter())
        await withTaskGroup(of: Void.self) { group in
          for index in 0..<count {
            group.addTask {
              let ticks = DispatchTimer.ticks(every: .milliseconds(100), clock: clock)
              var next = 0
              for await tick in ticks {
                let isNext = tick.index == next + tick.missed
                if !isNext || tick.actual < tick.scheduled { Issue.record("\(next): \(tick)") }
                next = tick.index + 1
                taken.add()
                missed.add(tick.missed)
                if clock.now >= end { break }
                let wait = Duration.milliseconds(index % 4 * 90)
                try? await clock.sleep(until: clock.now.advanced(by: wait))
              }
            }
          }
        }
        LoadTests.report("\(taken.value) ticks taken, \(missed.value) missed")
        #expect(taken.value >= count)
        #expect(clock.pendingCount == 0)
      }
    }
  }
}
