import Pacing
import PacingTesting
import Testing

@Suite("Sampler")
struct SamplerTests {
  /// Plays a sampler with a period of four steps.
  private func play(_ script: String) -> String {
    Marbles.play(script) { clock, handler in
      let sampler = Sampler<Character>(every: Marbles.step * 4, clock: clock, handler: handler)
      return Marbles.Verbs(
        send: sampler.send, flush: { sampler.flush() }, cancel: { sampler.cancel() },
        finish: { sampler.finish() })
    }
  }

  @Test(
    "delivers the newest value at each tick, if there is a new one",
    arguments: [
      ("-a-b-c------d-e------", "----b---c-------e----"),
      ("abcdefghi----", "----d---h---i"),
      ("----a--------", "--------a----"),
      ("---a---------", "----a--------"),
    ])
  func ticks(script: String, delivered: String) {
    #expect(play(script) == delivered)
  }

  @Test(
    "flushes, cancels and finishes; the ticks stay where they are",
    arguments: [
      ("a!b----------", "-a--b--------"),
      ("a-xb---------", "----b--------"),
      ("a---x--------", "-------------"),
      ("a-|----------", "-------------"),
    ])
  func verbs(script: String, delivered: String) {
    #expect(play(script) == delivered)
  }

  @Test(
    "a late tick delivers late and moves nothing",
    arguments: [
      ("a~~~~~-b-----", "------a-b----"),
      ("a~~~~~b------", "------a-b----"),
    ])
  func late(script: String, delivered: String) {
    #expect(play(script) == delivered)
  }

  @Test(
    "finishing delivers the newest value at once if it is told to deliver, otherwise drops it",
    arguments: [
      (Finish.atOnce, ["a"]), (.whenDue, []), (.discard, []), (nil, []),
    ] as [(Finish?, [Character])])
  func finish(finish: Finish?, expected: [Character]) {
    let clock = ManualClock()
    let delivered = EventRecorder<Character>()
    let sampler = Sampler<Character>(every: .seconds(1), clock: clock) { delivered.record($0) }
    sampler.send("a")
    sampler.finish(finish)
    clock.advance(by: .zero)
    #expect(delivered.takeAll() == expected)
    clock.advance(by: .seconds(1))
    #expect(delivered.takeAll() == (finish == .whenDue ? ["a"] : []))
    #expect(clock.pendingCount == 0)
  }
}
