import Pacing
import PacingTesting
import Testing

@Suite("Throttler")
struct ThrottlerTests {
  /// Plays a throttler with a window of four steps.
  private func play(
    _ script: String, edges: Edges = .both, keeping keep: Keep<Character> = .latest,
    interval: Duration = Marbles.step * 4
  ) -> String {
    Marbles.play(script) { clock, handler in
      let throttler = Throttler<Character>(
        every: interval, edges: edges, keeping: keep, clock: clock, handler: handler)
      return Marbles.Verbs(
        send: throttler.send, flush: { throttler.flush() }, cancel: { throttler.cancel() },
        reset: { throttler.reset() }, finish: { throttler.finish() })
    }
  }

  @Test(
    "delivers once in each window",
    arguments: [
      (Edges.both, "a-b-c-d-----e--------", "a---b---d---e--------"),
      (.leading, "a-b-c-d-----e--------", "a---c-------e--------"),
      (.trailing, "a-b-c-d-----e--------", "----b---d-------e----"),
      (.both, "a--------b--", "a--------b--"),
      (.both, "ab-------c--", "a---b----c--"),
      (.both, "a-b--c------", "a---b---c---"),
      (.trailing, "a----b------", "----a---b---"),
    ])
  func windows(edges: Edges, script: String, delivered: String) {
    #expect(play(script, edges: edges) == delivered)
  }

  @Test("keeps the first value of a window")
  func keepFirst() {
    #expect(play("abc-de-f----", keeping: .first) == "a---b---d---")
    #expect(play("abc-----", edges: .trailing, keeping: .first) == "----a---")
  }

  @Test(
    "flushes, cancels, resets and finishes",
    arguments: [
      // A flush opens a new window, a cancel keeps the open one, a reset closes it.
      ("ab!c--------", "a-b---c-----"),
      ("a-!b--------", "a---b-------"),
      ("abxc--------", "a---c-------"),
      ("abrc--------", "a--c--------"),
      ("ab|---------", "a---b-------"),
      ("ab|c--------", "a---b-------"),
      ("a-|---------", "a-----------"),
      ("ab--x-------", "a-----------"),
    ])
  func verbs(script: String, delivered: String) {
    #expect(play(script) == delivered)
  }

  @Test(
    "a late timer delivers late, and the window opens then",
    arguments: [
      ("ab~~~~--c-------", "a-----b---c-----"),
      ("ab~~~c----------", "a----b---c------"),
      ("ab~~~x--c-------", "a-------c-------"),
    ])
  func late(script: String, delivered: String) {
    #expect(play(script) == delivered)
  }

  @Test("an interval of zero or less delivers each value at once")
  func noInterval() {
    for edges in [Edges.leading, .trailing, .both] {
      #expect(play("abc-d", edges: edges, interval: .zero) == "abc-d")
      #expect(play("abc-d", edges: edges, interval: .seconds(-1)) == "abc-d")
    }
  }

  @Test("finishes at once, or discards, if asked to")
  func finishPolicies() {
    for (finish, expected) in [(Finish.atOnce, "b"), (.discard, "")] {
      let clock = ManualClock()
      let delivered = EventRecorder<Character>()
      let throttler = Throttler<Character>(every: .seconds(1), clock: clock) {
        delivered.record($0)
      }
      throttler.send("a")
      throttler.send("b")
      clock.runReady()
      #expect(delivered.takeAll() == ["a"])
      throttler.finish(finish)
      clock.advance(by: .zero)
      #expect(String(delivered.takeAll()) == expected)
      #expect(clock.pendingCount == 0)
    }
  }
}
