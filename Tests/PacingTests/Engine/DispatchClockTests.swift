import Pacing
import TestSupport
import Testing

@Suite("DispatchClock")
struct DispatchClockTests {
  private func timers(_ count: Int, on clock: DispatchClock) -> [DispatchTimer] {
    (0..<count).map { _ in DispatchTimer(.once(after: .seconds(3600)), clock: clock) { _ in } }
  }

  @Test("netty#5647: a bound on what is pending refuses further timers, until there is room")
  func bound() {
    let clock = DispatchClock(maximumPending: 3)
    let timers = timers(5, on: clock)
    #expect(timers.map { $0.start() } == [true, true, true, false, false])
    #expect(clock.pendingCount == 3 && timers[3].state == .idle)
    timers[0].suspend()
    #expect(timers[3].start() && !timers[0].resume() && timers[0].isSuspended)
    timers[1].cancel()
    #expect(timers[0].resume() && !timers[4].start())
  }

  @Test("counts each clock's own pending entries")
  func introspection() {
    let clocks = [DispatchClock(maximumPending: 10), DispatchClock(maximumPending: 10)]
    let timers = timers(2, on: clocks[0])
    for timer in timers { timer.start() }
    #expect(clocks.map(\.pendingCount) == [2, 0])
    #expect(clocks[0].nextDeadline == timers[0].nextDeadline && clocks[1].nextDeadline == nil)
  }

  @Test("netty#2541: a cancelled entry is gone at once, and what it held with it")
  func cancelled() {
    let clock = DispatchClock(maximumPending: 1_000_000)
    let released = Counter()
    for _ in 0..<1000 {
      let burden = Burden("captured") { released.add() }
      let timer = DispatchTimer.scheduled(after: .seconds(3600), clock: clock) {
        withExtendedLifetime(burden) {}
      }
      timer.cancel()
    }
    #expect(clock.pendingCount == 0 && released.value == 1000)
  }
}
