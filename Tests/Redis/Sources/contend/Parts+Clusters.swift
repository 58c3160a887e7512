import Foundation
import Pacing
import PacingRedis

/// Clusters, replicas, prices and the command-line tool.
extension Parts {
  private static let isCluster = [
    "--cluster-enabled", "yes", "--cluster-require-full-coverage", "no",
  ]

  private func serve(_ slots: ClosedRange<Int>, of server: Server) async throws {
    let connection = server.connection()
    _ = try await connection.send(
      ["CLUSTER", "ADDSLOTSRANGE", "\(slots.lowerBound)", "\(slots.upperBound)"])
    for _ in 0..<500 {
      if case .text(let text) = try await connection.send(["CLUSTER", "INFO"]),
        text.contains("cluster_state:ok")
      {
        return
      }
      try await Task.sleep(for: .milliseconds(20))
    }
    throw RedisConnection.Failure(description: "the cluster is not ready")
  }

  func cluster() async throws -> String? {
    let server = try await Server(program, Self.isCluster)
    defer { server.end() }
    try await serve(0...16_383, of: server)
    let store = store(server.connection(), StorePolicy(timeout: .seconds(5)))
    let limiter = limiter(store)
    guard await limiter.request(for: ["{t}a", "{t}b"]).decision.source == .store else {
      return "one tag: \(store.statistics)"
    }
    guard await limiter.request(for: ["a", "b"]).decision.source == .failurePolicy,
      store.statistics.lastFailure?.contains("CROSSSLOT") == true, store.isAvailable
    else { return "no tag: \(store.statistics)" }
    return nil
  }

  /// Half of the slots are not served, or by a server elsewhere: their keys fail, and no others.
  func shard() async throws -> String? {
    let server = try await Server(program, Self.isCluster)
    let other = try await Server(program, Self.isCluster)
    defer {
      server.end()
      other.end()
    }
    try await serve(8192...16_383, of: server)
    let connection = server.connection()
    for expected in ["CLUSTERDOWN", "MOVED"] {
      if expected == "MOVED" {
        try await serve(0...8191, of: other)
        _ = try await connection.send(["CLUSTER", "MEET", "127.0.0.1", "\(other.port)"])
        for _ in 0..<500 where try await owners(connection) < 2 {
          try await Task.sleep(for: .milliseconds(20))
        }
      }
      let store = store(connection, StorePolicy(timeout: .seconds(5), parts: 2))
      let limiter = limiter(store)
      var answered = 0
      for key in 0..<200 where await limiter.request(for: "\(key)").source == .store {
        answered += 1
      }
      let statistics = store.statistics
      guard statistics.lastFailure?.contains(expected) == true, statistics.failed <= 4,
        statistics.spared > 50, (50...150).contains(answered), !store.isAvailable
      else { return "\(expected): \(answered) answered, \(statistics)" }
    }
    return nil
  }

  private func owners(_ connection: RedisConnection) async throws -> Int {
    guard case .list(let ranges) = try await connection.send(["CLUSTER", "SLOTS"]) else { return 0 }
    return ranges.count
  }

  /// A replica takes over: at most one loss.
  func failover() async throws -> String? {
    let first = try await Server(program)
    let second = try await Server(program)
    defer {
      first.end()
      second.end()
    }
    let connections = [first.connection(), second.connection()]
    try await follow(connections[1], first)
    let stores = connections.map { store($0, StorePolicy(timeout: .seconds(5))) }
    let limiters = stores.map { limiter($0, Rate(1, per: .seconds(86_400)), 100) }
    var granted = await limiters[0].take(upTo: 80, for: "a")
    guard await limiters[1].request(for: "a").source == .failurePolicy,
      stores[1].statistics.lastFailure?.contains("READONLY") == true
    else { return "the replica writes: \(stores[1].statistics)" }
    first.kill()
    _ = try await connections[1].send(["REPLICAOF", "NO", "ONE"])
    for _ in 0..<200 { granted += await limiters[1].take(upTo: 1, for: "a") }
    return (100...200).contains(granted) ? nil : "\(granted), not 100 to 200"
  }

  // MARK: The command-line tool

  /// Four of them at 100 lines a second pass 100 a second together.
  func shell() async throws -> String? {
    guard let pace else { return nil }
    let server = try await Server(program)
    defer { server.end() }
    let clock = server.connection()
    let start = try await clock.time()
    let processes = try (0..<4).map { _ in
      let process = Process()
      process.executableURL = URL(filePath: "/bin/sh")
      process.arguments = [
        "-c", "seq 50 | '\(pace)' limit 100/s --redis redis://127.0.0.1:\(server.port)/lines",
      ]
      let output = Pipe()
      process.standardOutput = output
      try process.run()
      return (process, output)
    }
    var lines = 0
    for (process, output) in processes {
      let data = output.fileHandleForReading.readDataToEndOfFile()
      process.waitUntilExit()
      guard process.terminationStatus == 0 else { return "status \(process.terminationStatus)" }
      lines += data.count { $0 == UInt8(ascii: "\n") }
    }
    let time = try await clock.time() - start
    guard lines == 200 else { return "\(lines) lines, not 200" }
    return time >= 1_990_000 ? nil : "200 lines in \(time) µs"
  }
}
