import Foundation
import Pacing

/// The process of the server, started again and again, with a record of each run.
final class ServerProcess {
  /// What a run has noted.
  struct Run {
    let notes: [Note]
    let wasKilled: Bool
  }

  private(set) var runs = [Run]()
  /// The library that gives it a wall clock of its own; nil for the system's.
  private let clock = ProcessInfo.processInfo.environment["STEPPED_CLOCK"]
  private let folder: URL
  private var process = Process()
  private var ends = AsyncStream<Never> { $0.finish() }

  init() throws {
    folder = FileManager.default.temporaryDirectory.appending(path: "pacing-endurance-\(getpid())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    try Data(count: 8).write(to: clockFile)
  }

  var hasClock: Bool { clock != nil }
  private var clockFile: URL { folder.appending(path: "clock") }
  private var record: URL { folder.appending(path: "run-\(runs.count)") }

  /// Starts a run, and returns its address.
  func start() async throws -> String {
    try Data().write(to: record)
    process = Process()
    process.executableURL = URL(filePath: CommandLine.arguments[0])
    process.arguments = ["--serve"]
    process.standardInput = Pipe()
    process.standardOutput = try FileHandle(forWritingTo: record)
    if let clock {
      let words = ["LD_PRELOAD": clock, "PACING_CLOCK": clockFile.path]
      process.environment = ProcessInfo.processInfo.environment.merging(words) { $1 }
    }
    let (ends, end) = AsyncStream.makeStream(of: Never.self)
    process.terminationHandler = { _ in end.finish() }
    self.ends = ends
    try process.run()
    return "http://127.0.0.1:\(try await seen("port").name)"
  }

  /// Ends the run: at SIGTERM by itself, in time and with 0.
  func end(by signal: Int32) async throws {
    try send(signal)
    try? await withTimeout(.seconds(30)) { for await _ in ends {} }
    try demand(!process.isRunning, "the server does not end")
    let wasKilled = signal == SIGKILL
    let end = (process.terminationReason, process.terminationStatus)
    try demand(end == (wasKilled ? (.uncaughtSignal, SIGKILL) : (.exit, 0)), "it ended as \(end)")
    runs.append(Run(notes: try Note.read(record), wasKilled: wasKilled))
  }

  /// Stops the process for a while.
  func stop(for time: Duration) async throws {
    try send(SIGSTOP)
    try await DispatchClock().sleep(for: time)
    try send(SIGCONT)
  }

  /// Sets the server's wall clock `offset` seconds ahead of the system's.
  func setClock(to offset: Int) throws {
    let file = try FileHandle(forUpdating: clockFile)
    let bytes = (0..<8).map { UInt8(truncatingIfNeeded: (offset * 1_000_000) >> (8 * $0)) }
    try file.write(contentsOf: Data(bytes))
    try file.close()
  }

  /// Waits for a poll by a wall clock `offset` seconds ahead of the system's, after the second in
  /// which the poller may notice that.
  func polls(withClockAt offset: Int) async throws {
    let (least, expected) = (monotonicTime() + 1_000_000_000, wallOffset() + offset)
    _ = try await seen("poll") { note in
      note.begin > least && Int(note.name).map { abs($0 - expected) < 30 } == true
    }
  }

  /// Leaves nothing behind.
  func remove() {
    if process.isRunning { kill(process.processIdentifier, SIGKILL) }
    try? FileManager.default.removeItem(at: folder)
  }

  private func send(_ signal: Int32) throws {
    try demand(process.isRunning, "the server has ended by itself")
    kill(process.processIdentifier, signal)
  }

  /// Waits for a line of this run's record.
  private func seen(_ kind: String, _ isIt: (Note) -> Bool = { _ in true }) async throws -> Note {
    let record = record
    let note = try? await withTimeout(.seconds(60)) { () -> Note? in
      let schedule = PollSchedule(every: .milliseconds(20))
      for await poll in schedule.results({ try Note.read(record) }) {
        if let note = poll.value?.last(where: { $0.kind == kind && isIt($0) }) { return note }
      }
      return nil
    }
    guard let note else { throw Wrong(description: "no \(kind) for a minute") }
    return note
  }
}
