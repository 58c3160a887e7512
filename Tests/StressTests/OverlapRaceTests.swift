import Dispatch
import Pacing
import PacingTesting
import TestSupport
import Testing

@Suite("Overlap and races", .alone)
struct OverlapRaceTests {
  let gate = Gate<Int>()
  let log = EventRecorder<String>()

  @Test("cancelPrevious: a run's own cancellation handlers run on no thread of the timer's")
  func cancelOffTheTimer() async {
    let came = CountDown(1)
    let tool = Debouncer<Int>(for: .milliseconds(1)).handle(overlap: .cancelPrevious) {
      [gate, log] value in
      await withTaskCancellationHandler {
        if value == 1 { came.arrive() }
        await gate.pass(value)
      } onCancel: {
        // Another tool's delivery, for which the timer must be free.
        let blocked = Slot<Bool>(true)
        let other = Debouncer<Int>(for: .milliseconds(1)) { _ in blocked.put(false) }
        other.send(1)
        while blocked.value == true {}
        log.record("another ran")
        gate.open(1)
      }
    }
    tool.send(1)
    await came.wait()
    tool.send(2)
    await gate.arrival(2)
    gate.open(2)
    #expect(log.values == ["another ran"])
  }
}
