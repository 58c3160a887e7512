import Foundation
import Pacing
import PacingRedis
import PacingTesting
import Synchronization

/// The time of a manual clock on a server whose clock is set.
private final class SteppedClock: Clock {
  let manual = ManualClock()
  private let micros = Mutex<Int64>(0)

  var offset: Int64 { micros.withLock { $0 } }
  var now: PacingInstant { manual.now.advanced(by: .microseconds(offset)) }
  var minimumResolution: Duration { .nanoseconds(1) }

  func step(by micros: Int64) { self.micros.withLock { $0 += micros } }

  func sleep(until deadline: PacingInstant, tolerance: Duration?) async throws {
    let instant = deadline.advanced(by: .microseconds(-offset))
    try await manual.sleep(until: instant, tolerance: tolerance)
  }
}

/// Servers whose clocks are set while limits are in use.
extension Parts {
  private static let quota = (rate: Rate.perSecond(2), burst: 10)

  /// A bucket that is exhausted when the clock is set back refills from the first call after that,
  /// on the same server, and on a replica whose clock is behind; and no step back mints a token.
  func setClock() async throws -> String? {
    guard let clock else { return nil }
    let server = try await Server(program, clock: clock)
    let replica = try await Server(program, clock: clock)
    defer {
      server.end()
      replica.end()
    }
    let connections = [server.connection(), replica.connection()]
    let before = try await connections[0].time()
    try server.setClock(to: -60_000_000)
    guard try await connections[0].time() < before else { return "its clock cannot be set" }
    try server.setClock(to: 0)
    try replica.setClock(to: -60_000_000)
    try await follow(connections[1], server)

    guard await fresh(connections[0]).take(upTo: 99, for: "a") == 10,
      await fresh(connections[0]).take(upTo: 99, for: "b") == 10
    else { return "not ten tokens at first" }
    // Until the replica has them.
    guard try await connections[0].send(["WAIT", "1", "5000"]) == .integer(1) else {
      return "not replicated"
    }
    try server.setClock(to: -60_000_000)
    if let problem = try await refill("a", connections[0]) { return problem }
    if let problem = try await manySteps(server) { return problem }
    server.kill()
    _ = try await connections[1].send(["REPLICAOF", "NO", "ONE"])
    return try await refill("b", connections[1]).map { "the replica: \($0)" }
  }

  /// The script decides as its model in this process does, by a clock that is set forward and back.
  func jumps() async throws -> String? {
    let server = try await Server(program)
    defer { server.end() }
    let clock = SteppedClock()
    let real = store(server.connection(), on: clock.manual) { clock.offset }
    let stores = [real, RedisStore.inMemory(clock: clock)]
    let quotas: [Quota] = [
      Quota(rate: .perSecond(10), burst: 2), Quota(rate: .perSecond(1000), burst: 100),
      Quota(rate: Rate(999_983, per: .seconds(1_000_003)), burst: 7),
      Quota(rate: .every(.seconds(3600)), burst: 3),
    ]
    clock.manual.advance(by: .seconds(1_000_000))
    for step in 0..<(isQuiet ? 20_000 : 3000) {
      let kind = Int.random(in: 0..<8)
      let (key, cost) = (Int.random(in: 0..<quotas.count), Int.random(in: 0...3))
      var answers = [String]()
      for store in stores {
        // Of another process each time, which remembers no refusal.
        let limiter = SharedRateLimiter<Int>(
          in: store, onFailure: .deny, memory: 1, name: { "k\($0)" }
        ) { quotas[$0] }
        switch kind {
        case 0: answers.append("\(await limiter.peek(cost, for: key))")
        case 1: answers.append("\(await limiter.take(upTo: 9, for: key))")
        case 2: answers.append("\(await limiter.request(cost, for: [key, (key + 1) % 4]))")
        case 3 where cost == 3: answers.append("\(await limiter.penalize(5, for: key))")
        default: answers.append("\(await limiter.request(cost, for: key))")
        }
      }
      guard answers[0] == answers[1] else { return "step \(step): \(answers)" }
      let sizes: [Int64] = [1, 5000, 100_000, 200_000, 200_001, 7_000_000, 20_000_000_000]
      clock.step(by: Int64.random(in: 0...sizes.randomElement()!) * (Bool.random() ? 1 : -1))
      clock.manual.advance(by: .microseconds(Int64.random(in: 0...sizes.randomElement()!)))
    }
    return real.statistics.failed == 0 ? nil : real.statistics.lastFailure
  }

  /// A limiter of another process, which remembers no refusal.
  private func fresh(_ connection: RedisConnection) -> SharedRateLimiter<String> {
    limiter(
      store(connection, StorePolicy(timeout: .seconds(5))), Self.quota.rate, Self.quota.burst)
  }

  /// Asks for a token of an exhausted bucket until there is one: 500 ms after the first refusal, by
  /// the server's clock.
  private func refill(_ name: String, _ connection: RedisConnection) async throws -> String? {
    let start = try await connection.time()
    guard await !fresh(connection).tryAcquire(for: name) else { return "a step mints a token" }
    let refused = try await connection.time()
    while true {
      let asked = try await connection.time()
      let isGranted = await fresh(connection).tryAcquire(for: name)
      if isGranted {
        let waited = try await connection.time() - start
        return waited >= 500_000 ? nil : "a token after \(waited) µs"
      }
      guard asked < refused + 500_000 else { return "refused \(asked - refused) µs later" }
      try await Task.sleep(for: .milliseconds(5))
    }
  }

  /// Steps back of every size, under load: the bound is that of a clock that is never set.
  private func manySteps(_ server: Server) async throws -> String? {
    let connection = server.connection()
    let store = store(connection, StorePolicy(timeout: .seconds(5)))
    let start = ContinuousClock.now
    var granted = 0
    var offset: Int64 = -60_000_000
    for _ in 0..<60 {
      let end = ContinuousClock.now.advanced(by: .milliseconds(20))
      while ContinuousClock.now < end {
        granted += await limiter(store, .perSecond(1000), 100).take(upTo: 50, for: "c")
      }
      offset -= [1000, 50_000, 100_000, 101_000, 5_000_000].randomElement()!
      try server.setClock(to: offset)
    }
    let bound = 100 + Int((ContinuousClock.now - start) / .milliseconds(1)) + 1
    guard granted <= bound else { return "\(granted) of at most \(bound) in steps" }
    return granted >= 200 ? nil : "\(granted) in steps: locked out"
  }

  /// Makes a server the replica of another, and waits until it has its data.
  func follow(_ connection: RedisConnection, _ server: Server) async throws {
    _ = try await connection.send(["REPLICAOF", "127.0.0.1", "\(server.port)"])
    try await connection.untilSection("replication", has: ["master_link_status:up"])
  }
}
