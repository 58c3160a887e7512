import Foundation
import PacingRedis
import Synchronization

/// Six nodes, three of them replicas, and a client that sends each call to the node of its slot, as
/// clients of clusters do.
final class Cluster: Sendable {
  static let shardCount = 3

  /// The masters at first, and then the replica of each.
  let nodes: [Server]
  let connections: [RedisConnection]
  /// The node that serves a shard, by its index.
  private let owners = Mutex(Array(0..<shardCount))

  /// The shard of a key: as many as a store with three parts divides the slots into.
  static func shard(of key: String) -> Int {
    HashSlot.slot(of: key) * shardCount / HashSlot.count
  }

  init(_ program: String) async throws {
    let options = [
      "--cluster-enabled", "yes", "--cluster-require-full-coverage", "no",
      "--cluster-node-timeout", "3000", "--cluster-replica-validity-factor", "0",
    ]
    var nodes = [Server]()
    for _ in 0..<2 * Self.shardCount { nodes.append(try await Server(program, options)) }
    self.nodes = nodes
    connections = nodes.map { $0.connection() }
    do { try await assemble() } catch {
      end()
      throw error
    }
  }

  func end() { for node in nodes { node.end() } }

  private func assemble() async throws {
    for (index, connection) in connections.enumerated() {
      _ = try await connection.send(["CLUSTER", "SET-CONFIG-EPOCH", "\(index + 1)"])
      guard index > 0 else { continue }
      _ = try await connection.send(["CLUSTER", "MEET", "127.0.0.1", "\(nodes[0].port)"])
    }
    for shard in 0..<Self.shardCount {
      let slots = (0..<HashSlot.count).filter { $0 * Self.shardCount / HashSlot.count == shard }
      _ = try await connections[shard].send(
        ["CLUSTER", "ADDSLOTSRANGE", "\(slots.first!)", "\(slots.last!)"])
    }
    try await allNodes(say: ["cluster_known_nodes:6", "cluster_state:ok", "cluster_size:3"])
    for shard in 0..<Self.shardCount {
      guard case .text(let id) = try await connections[shard].send(["CLUSTER", "MYID"]) else {
        throw RedisConnection.Failure(description: "a node has no name")
      }
      let replica = connections[shard + Self.shardCount]
      _ = try await replica.send(["CLUSTER", "REPLICATE", id])
      try await replica.untilSection("replication", has: ["master_link_status:up"])
    }
    // A replica that another master does not know yet would not be elected.
    for connection in connections {
      while try await connection.send(["CLUSTER", "NODES"]).words("slave") < Self.shardCount {
        try await Task.sleep(for: .milliseconds(20))
      }
    }
  }

  private func allNodes(say lines: [String]) async throws {
    for connection in connections {
      try await connection.until(["CLUSTER", "INFO"], has: lines)
    }
  }

  /// Whether the first owners of the other shards still serve them, and the replica this one.
  func hasFailedOver(_ shard: Int) async throws -> Bool {
    for other in 0..<Self.shardCount {
      let node = connections[other == shard ? other + Self.shardCount : other]
      guard case .list(let role) = try await node.send(["ROLE"]), role.first == .text("master")
      else { return false }
    }
    return true
  }

  // MARK: Its client

  /// Makes a call where its keys are: again only if a node says that they are elsewhere, for it has
  /// done nothing then.
  func numbers(_ call: ScriptCall) async throws -> [Int64] {
    let shard = Self.shard(of: call.keys[0])
    let words = [call.command] + call.words
    do {
      return try await connections[owners.withLock { $0[shard] }].numbers(words)
    } catch let failure as RedisConnection.Failure {
      if let port = failure.description.movedPort,
        let node = nodes.firstIndex(where: { $0.port == port })
      {
        owners.withLock { $0[shard] = node }
        return try await connections[node].numbers(words)
      }
      // Its node is gone: the next call asks the other one of the shard, which knows who serves it.
      if !failure.description.contains("NOSCRIPT"), !failure.description.contains("CLUSTERDOWN") {
        owners.withLock { $0[shard] = ($0[shard] + Self.shardCount) % (2 * Self.shardCount) }
      }
      throw failure
    }
  }
}

extension String {
  /// The port that a redirection names.
  fileprivate var movedPort: Int? {
    hasPrefix("MOVED ") ? split(separator: ":").last.flatMap { Int($0) } : nil
  }
}

extension RedisConnection.Value {
  /// How often a text has a word.
  fileprivate func words(_ word: String) -> Int {
    guard case .text(let text) = self else { return 0 }
    return text.matches(of: try! Regex("\\b\(word)\\b")).count
  }
}

extension RedisConnection {
  /// Waits until a section of the server's information has all of these lines.
  func untilSection(_ section: String, has lines: [String]) async throws {
    try await until(["INFO", section], has: lines)
  }

  /// Waits until the answer to a command has all of these lines.
  func until(_ command: [String], has lines: [String]) async throws {
    for _ in 0..<1000 {
      if case .text(let text) = try await send(command), lines.allSatisfy(text.contains) { return }
      try await Task.sleep(for: .milliseconds(20))
    }
    throw Failure(description: "\(command.joined(separator: " ")) never says \(lines)")
  }
}
