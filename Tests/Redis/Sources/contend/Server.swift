import Foundation
import Synchronization

/// A server process of its own, on a free port of the loopback interface, with nothing on disk.
final class Server: Sendable {
  let program: String
  let port: Int
  private let options: [String]
  private let folder: String
  /// The library that gives it a clock of its own; nil for the system's.
  private let clock: String?
  private let process = Mutex<Process?>(nil)

  init(_ program: String, _ options: [String] = [], clock: String? = nil) async throws {
    self.program = program
    self.options = options
    self.clock = clock
    // A member of a cluster takes a second port, 10,000 above.
    var port = try Self.freePort()
    while port > 55_000 { port = try Self.freePort() }
    self.port = port
    folder =
      FileManager.default.temporaryDirectory
      .appending(path: "pacing-redis-\(getpid())-\(port)").path
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    if clock != nil { try Data(count: 8).write(to: clockFile) }
    try await start()
  }

  func connection() -> RedisConnection { RedisConnection(host: "127.0.0.1", port: port) }

  func start() async throws {
    let process = Process()
    process.executableURL = URL(filePath: program)
    process.arguments =
      ["--port", "\(port)", "--save", "", "--appendonly", "no", "--bind", "127.0.0.1"]
      + ["--dir", folder, "--daemonize", "no"] + options
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    process.currentDirectoryURL = URL(filePath: folder)
    if let clock {
      let words = ["LD_PRELOAD": clock, "PACING_CLOCK": clockFile.path]
      process.environment = ProcessInfo.processInfo.environment.merging(words) { $1 }
    }
    try process.run()
    self.process.withLock { $0 = process }
    let connection = connection()
    for _ in 0..<500 {
      if (try? await connection.send(["PING"])) == .text("PONG") { return }
      try await Task.sleep(for: .milliseconds(20))
    }
    throw RedisConnection.Failure(description: "\(program) does not answer")
  }

  private var clockFile: URL { URL(filePath: folder).appending(path: "clock") }

  /// Sets its clock to the system's and so many microseconds; its process sees that at once.
  func setClock(to offset: Int64) throws {
    let file = try FileHandle(forUpdating: clockFile)
    try file.write(contentsOf: withUnsafeBytes(of: offset) { Data($0) })
    try file.close()
  }

  /// Ends it by its process id, without a chance to say goodbye.
  func kill() {
    let process = process.withLock { $0.take() }
    guard let process, process.isRunning else { return }
    signal(process, SIGCONT)
    signal(process, SIGKILL)
    process.waitUntilExit()
  }

  func pause() { process.withLock { if let process = $0 { signal(process, SIGSTOP) } } }

  func resume() { process.withLock { if let process = $0 { signal(process, SIGCONT) } } }

  func end() {
    kill()
    try? FileManager.default.removeItem(atPath: folder)
  }

  private func signal(_ process: Process, _ number: Int32) {
    _ = Foundation.kill(process.processIdentifier, number)
  }

  private static func freePort() throws -> Int {
    #if canImport(Glibc)
      let kind = Int32(SOCK_STREAM.rawValue)
    #else
      let kind = SOCK_STREAM
    #endif
    let number = socket(AF_INET, kind, 0)
    defer { close(number) }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = inet_addr("127.0.0.1")
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let result = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
        bind(number, address, length) == 0 ? getsockname(number, address, &length) : -1
      }
    }
    guard result == 0 else { throw RedisConnection.Failure(description: "no free port") }
    return Int(UInt16(bigEndian: address.sin_port))
  }
}

extension RedisConnection {
  /// The server's clock, in microseconds.
  func time() async throws -> Int64 {
    guard case .list(let parts) = try await send(["TIME"]), parts.count == 2,
      case .text(let seconds) = parts[0], case .text(let micros) = parts[1]
    else { throw Failure(description: "no time") }
    return Int64(seconds)! * 1_000_000 + Int64(micros)!
  }

  /// How many commands of a kind the server has run.
  func count(of command: String) async throws -> Int {
    Int(try await statistics("commandstats")["cmdstat_\(command):calls"] ?? 0)
  }

  /// The processor time that the server has taken, in nanoseconds.
  func processorTime() async throws -> Double {
    let times = try await statistics("cpu")
    return ((times["used_cpu_user"] ?? 0) + (times["used_cpu_sys"] ?? 0)) * 1e9
  }

  /// The first number of each line of a section of the server's statistics.
  private func statistics(_ section: String) async throws -> [String: Double] {
    guard case .text(let text) = try await send(["INFO", section]) else { return [:] }
    let lines = text.split(whereSeparator: \.isNewline).compactMap { line in
      line.firstMatch(of: /^(.+?)[=:]([0-9.]+)/).flatMap { match in
        Double(match.2).map { (String(match.1), $0) }
      }
    }
    return Dictionary(lines) { first, _ in first }
  }
}
