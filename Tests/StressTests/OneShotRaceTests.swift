import Pacing
import TestSupport
import Testing

@Suite("OneShot: outcomes, waits and cancellations that meet", .alone)
struct OneShotRaceTests {
  @Test("of two outcomes one wins, whenever the task comes to wait for it")
  func outcomes() async {
    let meeting = Meeting()
    for round in Soak.seeds(500) {
      let wait = OneShot<Int>()
      let task = Task.detached { await wait.outcome() }
      let (first, second) = meeting.of({ wait.resolve(1) }, { wait.resolve(2) })
      #expect(first != second, "round \(round)")
      #expect(await task.value == (first ? 1 : 2), "round \(round)")
    }
  }

  @Test("an outcome that meets the wait itself is not lost")
  func wait() async {
    let meeting = Meeting()
    for round in Soak.seeds(500) {
      let wait = OneShot<Int>()
      let (outcome, isFirst) = await meeting.of({ await wait.outcome() }, { wait.resolve(1) })
      #expect(outcome == 1 && isFirst, "round \(round)")
    }
  }

  @Test("an outcome and a cancellation that meet end the wait once, as the winner says")
  func cancellation() async {
    let meeting = Meeting()
    for round in Soak.seeds(500) {
      let wait = OneShot<Int>()
      let task = Task.detached { await wait.outcome(ifCancelled: 2) }
      let (isFirst, _) = meeting.of({ wait.resolve(1) }, { task.cancel() })
      #expect(await task.value == (isFirst ? 1 : 2), "round \(round)")
    }
  }
}
