import Foundation
import Pacing
import PacingRedis
import Synchronization

/// A node of a cluster dies while limits are in use.
extension Parts {
  /// What one key was answered, by all instances together.
  private struct Tally {
    var byStore = 0
    var byPolicy = 0
    var refusedByPolicy = 0
    /// When the policy first and last answered.
    var outage: (first: ContinuousClock.Instant, last: ContinuousClock.Instant)?

    mutating func note(_ decision: Decision) {
      guard decision.source == .failurePolicy else {
        byStore += decision.isAllowed ? 1 : 0
        return
      }
      byPolicy += decision.isAllowed ? 1 : 0
      refusedByPolicy += decision.isAllowed ? 0 : 1
      let now = ContinuousClock.now
      outage = (outage?.first ?? now, now)
    }
  }

  /// What is noted while instances spend, until they are told to end.
  private final class Log: Sendable {
    private let state = Mutex((tallies: [String: Tally](), isOver: false))

    var tallies: [String: Tally] { state.withLock { $0.tallies } }
    var isOver: Bool { state.withLock { $0.isOver } }

    func note(_ decision: Decision, of name: String) {
      state.withLock { $0.tallies[name, default: Tally()].note(decision) }
    }

    func end() { state.withLock { $0.isOver = true } }
  }

  /// A limit of one policy, as one of several instances has it.
  private struct Instance: Sendable {
    let store: RedisStore
    let limiters: [String: SharedRateLimiter<String>]

    init(_ cluster: Cluster, of count: Int) {
      let policy = StorePolicy(
        timeout: .seconds(5), pause: .milliseconds(100), parts: Cluster.shardCount)
      store = RedisStore(policy) { try await cluster.numbers($0) }
      let failures = [
        "deny": StoreFailure.deny, "allow": .allow, "share": .localShare(of: count),
      ]
      limiters = failures.mapValues { [store] failure in
        SharedRateLimiter(
          rate: Parts.rate, burst: Parts.burst, in: store, onFailure: failure
        ) { $0 }
      }
    }
  }

  private static let burst = 30
  private static let rate = Rate.perSecond(60)
  private static let instanceCount = 3
  private static let dying = 0

  /// A name in each shard.
  private static func names(_ word: String) -> [String] {
    (0..<Cluster.shardCount).map { shard in
      (0...).lazy.map { "\(word)-\($0)" }.first { Cluster.shard(of: $0) == shard }!
    }
  }

  /// A master of a cluster of six is killed, and its replica takes over, while three instances
  /// spend in all shards: each key keeps to its bound, the other shards notice nothing, what the
  /// dead one cannot answer is what each policy says, and what was replicated is not forgotten.
  func sixNodes() async throws -> String? {
    let cluster = try await Cluster(program)
    defer { cluster.end() }
    let instances = (0..<Self.instanceCount).map { _ in Instance(cluster, of: Self.instanceCount) }
    let log = Log()
    let start = ContinuousClock.now
    let tasks = instances.map { instance in Task { await Self.spend(instance, log) } }
    let problem: String?
    do { problem = try await fail(cluster, instances) } catch { problem = "\(error)" }
    log.end()
    for task in tasks { await task.value }
    let time = ContinuousClock.now - start
    if let problem { return problem }
    for (name, tally) in log.tallies {
      if let problem = Self.check(name, tally, time) { return problem }
    }
    return nil
  }

  private static func spend(_ instance: Instance, _ log: Log) async {
    let keys = instance.limiters.keys.flatMap { word in names(word).map { (word, $0) } }
    while !log.isOver {
      for (word, name) in keys {
        let decision = await instance.limiters[word]!.request(for: name)
        log.note(decision, of: name)
      }
      try? await Task.sleep(for: .milliseconds(1))
    }
  }

  /// Kills a master, and waits until its replica has taken over and is asked.
  private func fail(_ cluster: Cluster, _ instances: [Instance]) async throws -> String? {
    let store = instances[0].store
    let daily = limiter(store, Rate(1, per: .seconds(86_400)), 100)
    let once = Self.names("once")[Self.dying]
    guard await daily.take(upTo: 60, for: once) == 60 else { return "not 60 at first" }
    try await Task.sleep(for: .milliseconds(500))
    let master = cluster.connections[Self.dying]
    guard try await master.send(["WAIT", "1", "5000"]) == .integer(1) else {
      return "not replicated"
    }
    cluster.nodes[Self.dying].kill()
    let end = ContinuousClock.now.advanced(by: .seconds(60))
    while store.isAvailable {
      guard ContinuousClock.now < end else { return "a dead master is not noticed" }
      try await Task.sleep(for: .milliseconds(1))
    }
    // While it is away: what has no decision.
    let name = Self.names("deny")[Self.dying]
    let deny = instances[0].limiters["deny"]!
    do {
      try await deny.acquire(for: name)
      return "a wait is granted by a dead master"
    } catch is StoreError {}
    if await deny.penalize(1, for: name) { return "a penalty is paid to a dead master" }
    while !instances.allSatisfy({ $0.store.isAvailable }) {
      guard ContinuousClock.now < end else { return "no replica takes over: \(store.statistics)" }
      try await Task.sleep(for: .milliseconds(5))
    }
    guard try await cluster.hasFailedOver(Self.dying) else { return "another shard failed over" }
    var left = 0
    while case let taken = await daily.take(upTo: 1, for: once), taken > 0 { left += taken }
    guard left == 40 else { return "\(left) of 40 are left of what was replicated" }
    try await Task.sleep(for: .milliseconds(500))
    let statistics = store.statistics
    return statistics.spared > statistics.failed ? nil : "no call was spared: \(statistics)"
  }

  /// The bounds of a key, and of what its policy answers.
  private static func check(_ name: String, _ tally: Tally, _ time: Duration) -> String? {
    func bound(_ time: Duration) -> Int {
      burst + Int(time / .nanoseconds(1) * 60 / 1e9) + 1
    }
    let isDying = Cluster.shard(of: name) == dying
    // A replica that lacks the last writes has lost the bucket once at most.
    let most = bound(time) + (isDying ? burst : 0)
    guard tally.byStore <= most else { return "\(name): \(tally.byStore) of at most \(most)" }
    guard tally.byStore >= burst else { return "\(name): \(tally)" }
    guard isDying else {
      return tally.outage == nil ? nil : "\(name): \(tally), in a healthy shard"
    }
    guard let outage = tally.outage else { return "\(name): never away" }
    let isRight =
      switch name.prefix(while: { $0 != "-" }) {
      case "deny": tally.byPolicy == 0 && tally.refusedByPolicy > 0
      case "allow": tally.byPolicy > 0 && tally.refusedByPolicy == 0
      default: (burst...bound(outage.last - outage.first)).contains(tally.byPolicy)
      }
    return isRight ? nil : "\(name): \(tally)"
  }
}
