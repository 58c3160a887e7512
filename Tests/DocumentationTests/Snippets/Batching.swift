import Dispatch
import Pacing
import PacingTesting
import TestSupport
import Testing

// snippet: batching-loader
/// Looks up rows one by one; those wanted within 2 ms are fetched together.
final class RowLoader: Sendable {
  private struct Request: Sendable {
    let id: Int
    let answer: CheckedContinuation<String?, any Error>
  }

  private let requests: Batcher<Request>

  init(
    clock: any Clock<Duration> = .dispatch,
    fetch: @escaping @Sendable (Set<Int>) async throws -> [Int: String]
  ) {
    requests = Batcher(BatchLimit(maximumCount: 100, maximumDelay: .milliseconds(2)), clock: clock)
      .handle(overlap: .concurrent(4)) { batch in
        do {
          let rows = try await fetch(Set(batch.map(\.id)))
          for request in batch { request.answer.resume(returning: rows[request.id]) }
        } catch {
          for request in batch { request.answer.resume(throwing: error) }
        }
      }
    requests.onDrop { batch, _ in
      for request in batch { request.answer.resume(throwing: CancellationError()) }
    }
  }

  func row(_ id: Int) async throws -> String? {
    try await withCheckedThrowingContinuation { requests.send(Request(id: id, answer: $0)) }
  }

  func close() { requests.finish(.discard) }
}
// end

@Suite("Batching.md")
struct Batching {
  private let transcript = Transcript()
  private let clock = ManualClock()

  private struct Row: Sendable {
    var bytes = 100
    var tenant = "a"
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

  @Test("by key")
  func byKey() {
    let insert = { @Sendable (rows: [Row], tenant: String) in
      transcript.print("\(rows.count) \(tenant)")
    }
    let row = Row()
    do {
      let rows = Batcher<Row>(
        maximumCount: 500, maximumDelay: .milliseconds(50), clock: clock
      ) { rows in
        for (tenant, rows) in Dictionary(grouping: rows, by: \.tenant) { insert(rows, tenant) }
      }
      rows.send(row)
      rows.send(Row(tenant: "b"))
      rows.flush()
      clock.advance(by: .zero)
    }
    #expect(Set(transcript.text) == ["1 a", "1 b"])
    // snippet: batching-by-key-apart
    let rows = KeyedThrottler<String, [Row]>(
      every: .seconds(1), edges: .trailing, keeping: .reducing { $0 + $1 }, clock: clock
    ) { tenant, rows in insert(rows, tenant) }
    rows.send([row], for: row.tenant)
    // end
    rows.send([row], for: "a")
    rows.send([row], for: "b")
    clock.advance(by: .seconds(1))
    #expect(Set(transcript.text.suffix(2)) == ["2 a", "1 b"])
  }

  private struct Failure: Error {}

  @Test("callers that wait are each answered, whatever happens to their batch")
  func loader() async throws {
    let loader = RowLoader(clock: clock) { [transcript] ids in
      transcript.print(ids.sorted().map(String.init).joined(separator: " "))
      if ids.contains(0) { throw Failure() }
      return ids.contains(1) ? [1: "one"] : [:]
    }
    func ask(_ ids: [Int]) -> [Task<String?, any Error>] {
      ids.map { id in Task.eager { try await loader.row(id) } }
    }
    let first = ask([1, 2, 1])
    clock.advance(by: .milliseconds(2))
    #expect(try await first[0].value == "one")
    #expect(try await first[1].value == nil)
    #expect(try await first[2].value == "one")
    let failing = ask([0, 1])
    clock.advance(by: .milliseconds(2))
    for caller in failing { await #expect(throws: Failure.self) { try await caller.value } }
    let dropped = ask([1])
    loader.close()
    clock.runReady()
    for caller in dropped + ask([2]) {
      clock.runReady()
      await #expect(throws: CancellationError.self) { try await caller.value }
    }
    #expect(transcript.text == ["1 2", "0 1"])
  }
}
