import Pacing
import PacingTesting
import TestSupport
import Testing

@Suite("DispatchClock")
struct DispatchClockTests {
  @Test("netty#2541: a cancelled entry is gone at once, and what it held with it")
  func cancelled() {
    let clock = ManualClock(isLazy: true)
    let released = Counter()
    for _ in 0..<1000 {
      let burden = Burden("captured") { released.add() }
      let timer = DispatchTimer.scheduled(after: .seconds(3600), clock: clock) {
        withExtendedLifetime(burden) {}
      }
      timer.cancel()
    }
    #expect(clock.pendingCount == 0 && clock.nextDeadline == nil && released.value == 1000)
  }
}
