import Foundation
import Pacing
import PacingTesting
import TestSupport
import Testing

/// A leak on purpose: proof that the leak checker, which finds none in the other tests, would have
/// found one.
///
/// It is there where `PACING_LEAK` is set, as `Tests/Leaks/run` does.
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
