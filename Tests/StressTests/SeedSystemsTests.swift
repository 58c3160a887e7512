import Dispatch
import Pacing
import TestSupport
import Testing

@Suite("SeedSystems: real time", .alone)
struct SeedSystemsRealTimeTests {
  @Test("GCDTimer: ticks arrive without a run loop, and while the main thread is busy")
  @MainActor
  func busyMain() {
    // Blocks the main thread, so a timer that needed it could not tick.
    let ticked = DispatchSemaphore(value: 0)
    let timer = DispatchTimer.scheduled(.every(.milliseconds(1), count: 5)) { _ in ticked.signal() }
    let hasTicked = (0..<5).allSatisfy { _ in ticked.wait(timeout: .now() + 60) == .success }
    #expect(hasTicked && !timer.isValid)
  }
}
