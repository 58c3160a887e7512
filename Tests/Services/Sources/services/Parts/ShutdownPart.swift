import Foundation
import Pacing

/// Services that end in order at SIGTERM, with everything delivered.
enum ShutdownPart {
  @Sendable static func terminate() async throws {
    let journal = Journal()
    let (polls, poll) = AsyncStream.makeStream(of: Int.self)
    let count = Instants()
    let backend = Backend(
      insert: { rows in for row in rows { journal.note("row \(row)") } },
      save: { text in
        // A save takes its time, and the group waits for it.
        try? await DispatchClock().sleep(for: .milliseconds(200))
        journal.note("saved \(text)")
      },
      status: {
        let number = count.note("poll") + 1
        poll.yield(number)
        return "poll \(number)"
      })
    // Nothing is due in time by itself: only the shutdown delivers.
    let program = Program(
      backend, quiet: .seconds(86_400), polling: .milliseconds(20), logger: quietLogger())
    try await withThrowingTaskGroup { tasks in
      tasks.addTask {
        try await program.group.run()
        journal.note("ended")
      }
      for await number in polls where number >= 5 { break }
      for text in ["a", "ab", "abc"] { program.edits.send(text) }
      kill(getpid(), SIGTERM)
      try await tasks.waitForAll()
    }
    let lines = journal.lines
    let (edits, rows) = (program.edits.statistics, program.rows.statistics)
    try demand(edits.received == 3 && edits.delivered == 1 && edits.merged == 2, "\(edits)")
    try demand(rows.delivered == rows.received && rows.pending == 0, "\(rows)")
    // The poller has ended first, then the save, and what it sent is in the last row written.
    let polled = rows.received - 1
    let expected =
      ["saved abc"] + (1...polled).map { "row poll \($0)" } + ["row saved abc", "ended"]
    try demand(lines == expected, "\(lines)")
    try demand(polled >= 4, "\(polled) polls")
    try demand(program.poller.end == .cancelled, "the poller ended: \(program.poller.end as Any)")
  }
}
