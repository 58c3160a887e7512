import Foundation
import Pacing
import PacingTesting
import TestSupport
import Testing

/// A deliberate leak: proof that the leak checker, which finds none in other tests, detects one.
///
/// Enabled only if `PACING_LEAK` is set, as in `Tests/Leaks/run`.
@Suite(
  "Seeded leak", .enabled(if: ProcessInfo.processInfo.environment["PACING_LEAK"] != nil))
struct SeededLeakTests {
  @Test("a tool that its own handler holds stays")
  func cycle() {
    let slot = Slot<Debouncer<Int>>()
    let debouncer = Debouncer<Int>(for: .seconds(1), clock: ManualClock()) { _ in
      slot.value?.cancel()
    }
    slot.put(debouncer)
  }
}
