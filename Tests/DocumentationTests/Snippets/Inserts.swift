import Pacing
import PacingTesting
import Testing

// snippet: batching-inserts
/// Writes rows in groups of a hundred, at most 50 ms after the first, and retries failures.
final class EventLog: Sendable {
  private let rows: Batcher<String>

  init(
    clock: any Clock<Duration> = .dispatch,
    insert: @escaping @Sendable ([String]) async throws -> Void
  ) {
    let policy = RetryPolicy(
      backoff: .exponential(from: .milliseconds(100)), maximumAttempts: 3)
    rows = Batcher(
      BatchLimit(
        maximumCount: 100, maximumDelay: .milliseconds(50), maximumPendingBatches: 50),
      clock: clock
    ).handle { rows in
      do {
        try await retry(policy, clock: clock) { _ in try await insert(rows) }
      } catch {
        print("lost \(rows.count) rows: \(error)")
      }
    }
  }

  func append(_ row: String) { rows.send(row) }

  /// Writes what is left, and returns when it is written.
  func close() async {
    rows.finish()
    await rows.flushAndWait()
  }
}
// end

@Suite("Inserts into a database")
struct Inserts {
  private struct Failed: Error {}

  @Test("rows are written together, and again where that failed")
  func inserts() async {
    let clock = ManualClock()
    let batches = EventRecorder<Int>(clock: clock)
    let log = EventLog(clock: clock) { rows in
      batches.record(rows.count)
      if batches.values.count == 1 { throw Failed() }
    }
    for row in 1...101 { log.append("row \(row)") }
    await batches.values(atLeast: 1)
    await clock.sleepers(atLeast: 1)
    clock.advance(by: .milliseconds(100))
    #expect(await batches.values(atLeast: 3) == [100, 100, 1])
    await log.close()
  }
}
