import Foundation
import Pacing
import PacingTesting
import Synchronization
import Testing

@Suite("Examples.md")
struct ExampleTests {
  private struct Failed: Error {}

  @Test("a burst of changes of one user is one read, and others do not wait")
  func cache() async {
    let clock = ManualClock()
    let reads = EventRecorder<Int>(clock: clock)
    let names = Names(clock: clock) { user in
      reads.record(user)
      return "user \(user)"
    }
    #expect(await names.name(of: 1) == "user 1")
    #expect(await names.name(of: 1) == "user 1")
    let running = clock.run { await names.run() }
    for user in [1, 1, 2, 1] { names.changed(user) }
    clock.advance(by: .milliseconds(199))
    #expect(reads.values == [1])
    clock.advance(by: .milliseconds(1))
    #expect(await reads.values(atLeast: 3).sorted() == [1, 1, 2])
    running.cancel()
  }

  @Test("a file is applied when it has not been written for a second")
  func configuration() throws {
    let clock = ManualClock()
    let file = FileManager.default.temporaryDirectory.appending(path: "pacing-\(UUID()).txt")
    defer { try? FileManager.default.removeItem(at: file) }
    func write(_ text: String, at seconds: Double) throws {
      try text.write(to: file, atomically: false, encoding: .utf8)
      try FileManager.default.setAttributes(
        [.modificationDate: Date(timeIntervalSince1970: seconds)], ofItemAtPath: file.path)
    }
    try write("one", at: 1)
    let applied = EventRecorder<String>(clock: clock)
    let configuration = ConfigurationFile(file, clock: clock) { data in
      applied.record(String(decoding: data, as: UTF8.self))
    }
    clock.advance(by: .seconds(5))
    #expect(applied.values == [])
    try write("tw", at: 2)
    clock.advance(by: .milliseconds(750))
    try write("two", at: 3)
    clock.advance(by: .milliseconds(1_249))
    #expect(applied.values == [])
    clock.advance(by: .milliseconds(1))
    #expect(applied.values == ["two"])
    withExtendedLifetime(configuration) {}
  }

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
