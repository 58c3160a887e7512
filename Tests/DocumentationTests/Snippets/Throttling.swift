import Pacing
import PacingTesting
import Synchronization
import Testing

@Suite("Throttling.md")
struct Throttling {
  private let transcript = Transcript()
  private let clock = ManualClock()

  @Test("the first example")
  func first() async {
    let show = { @Sendable (percent: Int) in transcript.print("\(percent)") }
    // snippet: throttling-first
    let progress = Throttler<Int>(every: .milliseconds(100)) { percent in show(percent) }
    for percent in 0...100 { progress.send(percent) }  // 0 at once, 100 at the window's end
    // end
    await transcript.line("100")
    #expect(transcript.text.first == "0")
  }

  @Test("audit and sample")
  func siblings() {
    let show = { @Sendable (count: Int) in transcript.print("badge \(count)") }
    let record = { @Sendable (load: Double) in transcript.print("load \(load)") }
    // snippet: throttling-siblings
    let badge = Auditor<Int>(for: .milliseconds(200), clock: clock) { count in show(count) }
    let gauge = Sampler<Double>(every: .seconds(1), clock: clock) { load in record(load) }
    for count in 1...3 { badge.send(count) }  // 200 ms later: 3
    for load in [0.2, 0.7] { gauge.send(load) }  // at the next full second: 0.7
    // end
    clock.advance(by: .seconds(2))
    #expect(transcript.text == ["badge 3", "load 0.7"])
  }

  @Test("windows that vary")
  func varying() {
    enum Level { case debug, fault }
    // snippet: throttling-varying
    let log = Throttler<Level>(
      every: .seconds(1),
      varying: { level in level == .fault ? .zero : nil },  // nil: the usual window
      clock: clock
    ) { level in print(level) }
    log.send(.fault)  // opens no window
    log.send(.debug)  // at once too
    log.send(.debug, every: .seconds(10))  // its delivery opens a window of ten seconds
    log.interval = .seconds(2)  // from the next value on
    // end
    clock.advance(by: .seconds(10))
    #expect(log.statistics.received == 3)
    #expect(log.statistics.pending == 0)
  }

  @Test("flush, cancel, reset, finish")
  func verbs() {
    // snippet: throttling-verbs
    let save = Throttler<String>(every: .seconds(1), clock: clock) { text in print(text) }
    save.send("draft 1")  // at once
    save.send("draft 2")  // kept
    save.flush()  // true: draft 2 now, and a new window
    save.send("draft 3")
    let withdrawn = save.cancel()  // "draft 3"; the window stays, and with it the spacing
    save.reset()  // closes the window too: the next value is delivered at once
    save.send("draft 4")
    save.send("draft 5")
    save.finish()  // draft 5 at its window's end; .atOnce and .discard do not wait
    // end
    clock.advance(by: .seconds(1))
    #expect(withdrawn == "draft 3")
    // The cancelled delivery of "draft 2" had not begun: nothing ran before time moved.
    #expect(save.statistics.received == 5)
  }

  @Test("keys")
  func keys() {
    let show = { @Sendable (file: String, percent: Int) in transcript.print("\(file) \(percent)") }
    let transfers = KeyedThrottler<String, Int>(every: .milliseconds(500), clock: clock) {
      file, percent in
      show(file, percent)
    }
    transfers.send(1, for: "a.zip")  // at once
    transfers.send(1, for: "b.zip")  // at once: another key
    transfers.send(2, for: "a.zip")  // at its window's end
    clock.advance(by: .seconds(1))
    #expect(transcript.text == ["a.zip 1", "b.zip 1", "a.zip 2"])
    #expect(transfers.keyCount == 0)
  }

  @Test("callers that wait")
  func callers() async throws {
    let fetchStatus = { @Sendable () async throws in "fine" }
    // snippet: throttling-calls
    let status = AsyncThrottler<Void, String>(every: .seconds(5)) { try await fetchStatus() }
    let answer = try await status.call().value  // nil if a newer call superseded this one
    // end
    #expect(answer == "fine")
  }
}
