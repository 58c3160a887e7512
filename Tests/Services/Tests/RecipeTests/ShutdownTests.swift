import Logging
import Pacing
import PacingTesting
import Testing

@testable import services

@Suite("A graceful shutdown, on virtual time")
struct ShutdownTests {
  @Test("delivers what is pending, although no time has passed")
  func shutdown() async throws {
    let clock = ManualClock()
    let done = EventRecorder<String>(clock: clock)
    let backend = Backend(
      insert: { rows in for row in rows { done.record("row \(row)") } },
      save: { text in done.record("save \(text)") }, status: { "well" })
    let program = Program(backend, logger: Logger(label: "test"), clock: clock)
    let running = Task { try await program.group.run() }
    for text in ["a", "ab"] { program.edits.send(text) }
    program.rows.send("first")
    await program.group.triggerGracefulShutdown()
    try await running.value
    #expect(done.values.suffix(3) == ["save ab", "row first", "row saved ab"])
  }
}
