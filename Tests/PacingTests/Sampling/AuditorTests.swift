import Pacing
import PacingTesting
import TestSupport
import Testing

@Suite("Auditor")
struct AuditorTests {
  /// Plays an auditor with a window of four steps.
  private func play(_ script: String, window: Duration = Marbles.step * 4) -> String {
    Marbles.play(script) { clock, handler in
      let auditor = Auditor<Character>(for: window, clock: clock, handler: handler)
      return Marbles.Verbs(
        send: auditor.send, flush: { auditor.flush() }, cancel: { auditor.cancel() },
        finish: { auditor.finish() })
    }
  }

  @Test(
    "delivers the newest value a window after the first",
    arguments: [
      ("a-b-c-d-----e--------", "----b---d-------e----"),
      ("a------------", "----a--------"),
      ("abcd-efgh----", "----d----h---"),
      ("a---b--------", "----a---b----"),
    ])
  func windows(script: String, delivered: String) {
    #expect(play(script) == delivered)
  }

  @Test(
    "flushes, cancels and finishes",
    arguments: [
      ("ab!c---------", "--b----c-----"),
      ("abxc---------", "-------c-----"),
      ("a---x--------", "-------------"),
      ("!a-----------", "-----a-------"),
      ("ab|c---------", "----b--------"),
    ])
  func verbs(script: String, delivered: String) {
    #expect(play(script) == delivered)
  }

  @Test(
    "a late timer delivers late, and the next value opens a window of its own",
    arguments: [
      ("a~~~~~b------", "------a---b--"),
      ("a~~~~~x------", "-------------"),
    ])
  func late(script: String, delivered: String) {
    #expect(play(script) == delivered)
  }

  @Test("a window of zero or less delivers each value at once")
  func noWindow() {
    #expect(play("abc-d", window: .zero) == "abc-d")
    #expect(play("abc-d", window: .seconds(-1)) == "abc-d")
  }

  @Test("a value may bring a window of its own")
  func ownWindow() {
    let clock = ManualClock()
    let heard = EventRecorder<String>()
    let auditor = Auditor<Int>(for: .milliseconds(4), clock: clock) {
      heard.record("\($0)@\(clock.now.milliseconds)")
    }
    auditor.send(1, waiting: .milliseconds(9))
    auditor.send(2)
    clock.advance(by: .milliseconds(20))
    #expect(heard.values == ["2@9"])
    withExtendedLifetime(auditor) {}
  }
}
