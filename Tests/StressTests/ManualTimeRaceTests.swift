import Pacing
import PacingTesting
import TestSupport
import Testing

@Suite("Virtual time, and calls that meet an advance", .alone)
struct ManualTimeRaceTests {
  @Test("a value comes before the advance, which delivers it, or after it")
  func send() {
    let meeting = Meeting()
    for round in Soak.seeds(2_000) {
      let clock = ManualClock()
      let debouncer = Debouncer<Int>(for: .milliseconds(10), clock: clock) { _ in }
      _ = meeting.of({ debouncer.send(1) }, { clock.advance(by: .milliseconds(10)) })
      let deadline = clock.nextDeadline
      #expect(deadline == nil || deadline == .at(20), "round \(round)")
    }
  }

  @Test("a sleep begins before the advance, which ends it, or after it")
  func sleep() async {
    let meeting = Meeting()
    for round in Soak.seeds(2_000) {
      let clock = ManualClock()
      let (task, _) = meeting.of(
        { Task.eager { try await clock.sleep(for: .milliseconds(10)) } },
        { clock.advance(by: .milliseconds(10)) })
      let deadline = clock.nextDeadline
      #expect(deadline == nil || deadline == .at(20), "round \(round)")
      clock.advance(by: .milliseconds(10))
      _ = await task.result
    }
  }
}
