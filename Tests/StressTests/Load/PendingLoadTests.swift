import Pacing
import PacingTesting
import TestSupport
import Testing

extension LoadTests {
  @Suite("Load: a million timers")
  struct PendingLoad {
    /// A one-shot timer due far in the future, or for every hundredth index, soon.
    private func timer(
      _ index: Int, on clock: DispatchClock, due: CountDown, _ fired: Counter
    ) -> DispatchTimer {
      let isSoon = index.isMultiple(of: 100)
      let deadline = clock.now.advanced(
        by: isSoon ? .milliseconds(index % 700) : .seconds(3600 + index % 60))
      return DispatchTimer.scheduled(.once(at: deadline), clock: clock) { tick in
        if tick.actual < deadline || !isSoon { Issue.record("early") }
        fired.add()
        due.arrive()
      }
    }

    @Test("while they are pending, and others come and go, each fires once or was cancelled")
    func comeAndGo() async {
      let clock = DispatchClock.apart()
      let pending = LoadTests.count(1_000_000)
      let perStep = LoadTests.count(100_000) / 100
      let steps = LoadTests.isFull ? 500 : 50
      await LoadTests.memory("\(pending) timers") {
        let soon = (pending + perStep * steps + 99) / 100
        let due = CountDown(soon)
        let (fired, ticks) = (Counter(), EventRecorder<Tick>())
        var timers = (0..<pending).map { timer($0, on: clock, due: due, fired) }
        let watch = DispatchTimer.scheduled(every: .milliseconds(5), clock: clock) {
          ticks.record($0)
        }
        LoadTests.report("\(clock.pendingCount) pending, \(Memory.residentBytes ?? 0) bytes")
        let start = clock.now
        var next = pending
        // A step is ten milliseconds; a slow machine takes longer.
        for step in 1...steps {
          for _ in 0..<perStep {
            let new = timer(next, on: clock, due: due, fired)
            let old = next % pending
            // A timer that is due soon stays, to fire.
            if old.isMultiple(of: 100) { timers.append(new) } else { swap(&timers[old], with: new) }
            next += 1
          }
          try? await clock.sleep(until: start.advanced(by: .milliseconds(step * 10)))
        }
        LoadTests.report("\(perStep * steps) came and went in \(start.duration(to: clock.now))")
        await due.wait()
        watch.cancel()
        #expect(fired.value == soon)
        let all = ticks.values
        #expect(all.allSatisfy { $0.actual >= $0.scheduled })
        #expect(zip(all, all.dropFirst()).allSatisfy { $1.index == $0.index + 1 + $1.missed })
        let late = all.map { $0.scheduled.duration(to: $0.actual) }.sorted()
        LoadTests.report("a tick is \(late[late.count / 2]) late, at most \(late.last!)")
        for timer in timers { timer.cancel() }
        #expect(clock.pendingCount == 0)
      }
    }

    private func swap(_ timer: inout DispatchTimer, with new: DispatchTimer) {
      timer.cancel()
      timer = new
    }
  }
}
