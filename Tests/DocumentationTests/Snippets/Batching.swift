import Dispatch
import Pacing
import PacingTesting
import Testing

// snippet: batching-class
final class Metrics: Sendable {
  private let lines: Batcher<String>

  init(clock: any PacingClock = .dispatch, write: @escaping @Sendable ([String]) async -> Void) {
    lines = Batcher(
      BatchLimit(maximumCount: 500, maximumDelay: .seconds(1), maximumPendingBatches: 20),
      clock: clock,
      handler: write)
    lines.onDrop { lines, reason in print("lost \(lines.count) lines: \(reason)") }
  }

  func count(_ name: String) { lines.send("\(name) 1") }

  /// Writes what is left, and returns when it is written.
  func close() async {
    lines.finish()
    await lines.flushAndWait()
  }
}
// end

@Suite("Batching.md")
struct Batching {
  private let transcript = Transcript()
  private let clock = ManualClock()

  private struct Row: Sendable {
    var bytes = 100
  }

  @Test("the first example")
  func first() {
    let row = Row()
    let insert = { @Sendable (rows: [Row]) in transcript.print("\(rows.count)") }
    // snippet: batching-first
    let rows = Batcher<Row>(
      maximumCount: 500, maximumDelay: .milliseconds(50), clock: clock
    ) { rows in insert(rows) }
    rows.send(row)
    // end
    clock.advance(by: .milliseconds(50))
    #expect(transcript.text == ["1"])
  }

  @Test("limits")
  func limits() {
    let upload = { @Sendable (rows: [Row]) in transcript.print("\(rows.count)") }
    // snippet: batching-limits
    let small = BatchLimit(maximumCount: 100, idleGap: .milliseconds(5))
    let heavy = BatchLimit(maximumWeight: 65_536, maximumDelay: .seconds(1))
    let ticking = BatchLimit.every(.seconds(10), maximumCount: 1000, includingEmpty: true)
    let bounded = BatchLimit(
      maximumWeight: 65_536, maximumDelay: .seconds(1), maximumPendingBatches: 20)
    let rows = Batcher<Row>(bounded, weigh: { row in row.bytes }, clock: clock) { upload($0) }
    // end
    #expect(Set([small, heavy, ticking, bounded]).count == 4)
    for _ in 0..<656 { rows.send(Row()) }
    clock.advance(by: .seconds(1))
    #expect(transcript.text == ["655", "1"])
  }

  @Test("limits from elsewhere")
  func validating() throws {
    let count = 100
    // snippet: batching-validating
    let limit = try BatchLimit(validating: count, maximumDelay: .seconds(1))
    // end
    #expect(limit == BatchLimit(maximumCount: 100, maximumDelay: .seconds(1)))
  }

  @Test("flush, cancel, finish")
  func verbs() {
    // snippet: batching-verbs
    let rows = Batcher<Int>(BatchLimit(maximumCount: 3), clock: clock) { rows in print(rows) }
    for row in 1...4 { rows.send(row) }  // [1, 2, 3]; 4 is held
    print(rows.pending)  // all that is not with the handler yet, in order
    rows.flush()  // true: [4], behind what waits
    rows.send(5)
    let withdrawn = rows.cancel()  // every element whose handler has not begun, in order
    rows.finish()  // what is held is delivered at once; .discard drops it
    // end
    #expect(withdrawn == [1, 2, 3, 4, 5], "no handler had begun: time stood still")
  }

  @Test("a plain class")
  func plainClass() async {
    let metrics = Metrics { [transcript] lines in transcript.print("\(lines.count)") }
    metrics.count("requests")
    metrics.count("errors")
    await metrics.close()
    // As one batch, unless the machine stood still for a second between the two.
    #expect(transcript.text.compactMap(Int.init).reduce(0, +) == 2)
  }

  @Test("a stream")
  func stream() async {
    var written = [Int]()
    func write(_ rows: [Int]) { written += rows }
    // snippet: batching-stream
    let rows = Batcher<Int>(BatchLimit(maximumCount: 2))
    let batches = rows.ticks()
    for row in 1...3 { rows.send(row) }
    rows.finish()
    for await batch in batches { write(batch) }  // [1, 2], then [3]
    // end
    #expect(written == [1, 2, 3])
  }
}
