import Pacing
import PacingTesting
import TestSupport
import Testing

@Suite("ManualClock: waits of a test")
struct ManualWaitEndTests {
  private let clock = ManualClock()

  @Test(
    "a wait in vain ends with its task, as at the time limit of a test", arguments: [true, false])
  func cancelled(isSettling: Bool) async {
    let gate = Gate<Int>()
    let debouncer = Debouncer<Int>(for: .zero, clock: clock).handle { await gate.pass($0) }
    debouncer.send(1)
    clock.advance(by: .zero)
    await gate.arrival(1)
    let wait = Task { [clock] in
      if isSettling { await clock.settle() } else { await clock.sleepers(atLeast: 9) }
    }
    wait.cancel()
    await wait.value
    gate.openAll()
    await clock.settle()
  }
}
