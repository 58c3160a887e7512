import Pacing
import PacingTesting
import Testing

@Suite("Guarantees.md")
struct GuaranteesSnippets {
  @Test("what is due comes before the value of the same instant")
  func order() {
    // snippet: guarantees-order
    let clock = ManualClock(step: .seconds(1))
    let saved = EventRecorder<Character>(clock: clock)
    let save = Debouncer<Character>(for: .seconds(3), clock: clock) { saved.record($0) }
    clock.play("a--b--c----") { save.send($0) }
    #expect(saved.marbles == "---a--b--c-")
    // end
  }
}
