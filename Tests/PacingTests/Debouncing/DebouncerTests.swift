import Pacing
import PacingTesting
import Testing

@Suite("Debouncer")
struct DebouncerTests {
  /// Plays a debouncer with a quiet period of three steps.
  private func play(
    _ script: String, edges: Edges = .trailing, maximumWait: Duration? = nil,
    wait: Duration = Marbles.step * 3
  ) -> String {
    Marbles.play(script) { clock, handler in
      let debouncer = Debouncer<Character>(
        for: wait, edges: edges, maximumWait: maximumWait, clock: clock, handler: handler)
      return Marbles.Verbs(
        send: debouncer.send, flush: { debouncer.flush() }, cancel: { debouncer.cancel() },
        finish: { debouncer.finish() })
    }
  }

  @Test(
    "delivers the last value once it is quiet",
    arguments: [
      ("a-----------", "---a--------"),
      ("a-b-c-------d--------", "-------c-------d-----"),
      ("a--b--------", "---a--b-----"),
    ])
  func trailing(script: String, delivered: String) {
    #expect(play(script) == delivered)
  }

  @Test(
    "delivers the first value of a burst at once",
    arguments: [
      ("a-b-c-------d--------", "a-----------d--------"),
      ("a-b-c-d--e--", "a--------e--"),
      ("a--b--------", "a--b--------"),
    ])
  func leading(script: String, delivered: String) {
    #expect(play(script, edges: .leading) == delivered)
  }

  @Test(
    "delivers both ends, and a lone value once",
    arguments: [
      ("a-b-c-------d--------", "a------c----d--------"),
      ("a-----------", "a-----------"),
      ("ab-----c----", "a---b--c----"),
    ])
  func both(script: String, delivered: String) {
    #expect(play(script, edges: .both) == delivered)
  }

  @Test(
    "delivers within the maximum wait, and the burst goes on",
    arguments: [
      // The first undelivered value waits at most five steps.
      ("abcdefghijkl-----", Edges.trailing, "-----e----j---l--"),
      ("ab-cd-ef-gh------", .both, "a-----d----h-----"),
    ])
  func maximumWait(script: String, edges: Edges, delivered: String) {
    #expect(play(script, edges: edges, maximumWait: Marbles.step * 5) == delivered)
  }

  @Test(
    "flushes, cancels and finishes",
    arguments: [
      ("a!---b------", Edges.trailing, "-a------b---"),
      ("a!b---------", .both, "a----b------"),
      ("ab!c--------", .both, "a-bc--------"),
      ("ax---b------", .trailing, "--------b---"),
      ("abxc--------", .both, "a--c--------"),
      ("!-----------", .trailing, "------------"),
      ("a-|----b----", .trailing, "--a---------"),
      ("a--x--------", .trailing, "------------"),
    ])
  func verbs(script: String, edges: Edges, delivered: String) {
    #expect(play(script, edges: edges) == delivered)
  }

  @Test(
    "a late timer delivers late, and what is due comes before the next value",
    arguments: [
      ("a~~~~-------", "-----a------"),
      ("a~~~b-------", "----a--b----"),
      ("a~~~x-------", "------------"),
    ])
  func late(script: String, delivered: String) {
    #expect(play(script) == delivered)
  }

  @Test(
    "a wait of zero or less delivers each value at once", arguments: [Duration.zero, .seconds(-1)])
  func noWait(wait: Duration) {
    #expect(play("abc-d", wait: wait) == "abc-d")
    #expect(play("abc-d", edges: .leading, wait: wait) == "abc-d")
  }

  @Test("a wait beyond all time never delivers, until it is flushed")
  func endless() {
    #expect(play("a-----b----!", wait: .seconds(Int64.max)) == "-----------b")
  }

  @Test("says what is pending, and how long until it is due")
  func pending() {
    let clock = ManualClock()
    let debouncer = Debouncer<String>(for: .milliseconds(30), clock: clock) { _ in }
    #expect(debouncer.pending == nil && debouncer.timeRemaining == nil)
    debouncer.send("a")
    clock.advance(by: .milliseconds(10))
    #expect(debouncer.pending == "a" && debouncer.timeRemaining == .milliseconds(20))
    clock.lapse(by: .milliseconds(25))
    #expect(debouncer.pending == "a" && debouncer.timeRemaining == .zero)
    debouncer.send("b")
    #expect(debouncer.pending == "b" && debouncer.timeRemaining == .milliseconds(30))
    debouncer.flush()
    clock.advance(by: .zero)
    #expect(debouncer.pending == nil && debouncer.timeRemaining == nil)
    debouncer.send("c")
    clock.advance(by: .milliseconds(29))
    debouncer.flush()
    #expect(debouncer.pending == "c" && debouncer.timeRemaining == nil, "decided, and not begun")
  }
}
