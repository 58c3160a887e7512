import Foundation
import Pacing
import PacingRedis
import PacingTesting
import Synchronization

/// The demands on a real server.
///
/// Each part returns what it found if that is not what it should be.
struct Parts {
  let program: String
  /// Whether the machine does nothing else: shares of the rate and times are demanded too.
  let isQuiet: Bool
  /// The library that sets a server's clock, nil to leave out what needs it.
  let clock: String?
  /// The command-line tool, nil to leave its part out.
  let pace: String?

  typealias Part = @Sendable (Parts) async throws -> String?

  static let all: [(name: String, run: Part)] = [
    ("exact", { try await $0.exact() }), ("instant", { try await $0.instant(lease: 0) }),
    ("instant-leases", { try await $0.instant(lease: 50) }), ("oracle", { try await $0.oracle() }),
    ("steps", { try await $0.steps() }), ("jumps", { try await $0.jumps() }),
    ("clock", { try await $0.setClock() }), ("queue", { try await $0.queue() }),
    ("flush", { try await $0.flush() }), ("kill", { try await $0.kill() }),
    ("stop", { try await $0.stop() }),
    ("dead", { try await $0.dead() }), ("hostile", { try await $0.hostile() }),
    ("rolling", { try await $0.rolling() }), ("cluster", { try await $0.cluster() }),
    ("shard", { try await $0.shard() }), ("failover", { try await $0.failover() }),
    ("sixnodes", { try await $0.sixNodes() }), ("cost", { try await $0.cost() }),
    ("leases", { try await $0.leases() }), ("many", { try await $0.many() }),
    ("pace", { try await $0.shell() }),
  ]

  // MARK: Exactness

  /// Contends, and compares what was granted with the bound by the server's clock.
  private func contend(
    _ worker: (Int) -> Worker, _ check: (Worker.Result, _ bound: Int) -> String?
  ) async throws -> String? {
    let server = try await Server(program)
    defer { server.end() }
    let clock = server.connection()
    var worker = worker(server.port)
    // The processes' starts and ends, in which nothing is granted, count less in a longer run.
    if isQuiet { worker.time = max(worker.time, 5) }
    let start = try await clock.time()
    let result = try await worker.contend()
    let end = try await clock.time()
    guard result.failed == 0 else { return "\(result.failed) calls failed" }
    let bound = worker.burst + worker.rate * Int(end - start) / 1_000_000
    return check(result, worker.perDay ? worker.burst : bound)
  }

  func exact() async throws -> String? {
    try await contend({ Worker(kind: .request, port: $0) }) { result, bound in
      guard result.granted <= bound else { return "\(result.granted) of at most \(bound)" }
      let least = isQuiet ? bound * 98 / 100 : 100
      guard result.granted >= least else { return "\(result.granted) of at least \(least)" }
      // A refusal is remembered, and many share a call.
      guard result.calls <= result.granted + result.refused else { return "\(result.calls) calls" }
      return nil
    }
  }

  func instant(lease: Int) async throws -> String? {
    var processes = 0
    return try await contend({ port in
      var worker = Worker(kind: .drain, port: port)
      worker.rate = 1
      worker.perDay = true
      worker.burst = 1000
      worker.lease = lease
      worker.time = 30
      processes = worker.count
      return worker
    }) { result, bound in
      let least = bound - processes * lease
      guard (least...bound).contains(result.granted) else {
        return "\(result.granted), not \(least) to \(bound)"
      }
      return nil
    }
  }

  func queue() async throws -> String? {
    try await contend({ port in
      var worker = Worker(kind: .acquire, port: port)
      worker.rate = 500
      worker.burst = 10
      return worker
    }) { result, bound in
      // Those that began before the end may be granted up to half a second after it.
      let most = bound + 500 / 2
      guard result.granted <= most else { return "\(result.granted) of at most \(most)" }
      let asked = result.granted + result.refused
      // Once more for each that met a server without the script.
      guard (asked...asked + 200).contains(result.calls) else {
        return "\(result.calls) calls for \(asked) waits"
      }
      let least = isQuiet ? bound * 98 / 100 : 10
      return result.granted >= least ? nil : "\(result.granted) of at least \(least)"
    }
  }

  func oracle() async throws -> String? {
    let server = try await Server(program)
    defer { server.end() }
    let connection = server.connection()
    let (known, source) = await Self.script()
    guard try await connection.send(["SCRIPT", "LOAD", source]) == .text(known) else {
      return "the server has another digest"
    }
    let clock = ManualClock()
    var random = SystemRandomNumberGenerator()
    let quotas: [Quota] = [
      Quota(rate: Rate(1, per: .seconds(86_400)), burst: 1000),
      Quota(rate: Rate(999_983, per: .seconds(1_000_003)), burst: 70),
      Quota(rate: .perSecond(10), burst: 5), Quota(rate: .perSecond(1000), burst: 100),
      Quota(rate: .perSecond(1_000_000_000), burst: 3), Quota(rate: .perMinute(7), burst: 20),
    ]
    let server2 = store(connection, on: clock)
    let limiters = [server2, RedisStore.inMemory(clock: clock)].map { store in
      SharedRateLimiter<Int>(in: store, onFailure: .deny, name: { "k\($0)" }) { quotas[$0] }
    }
    for step in 0..<(isQuiet ? 50_000 : 5000) {
      let key = Int.random(in: 0..<quotas.count, using: &random)
      let cost = Int.random(in: 0...6, using: &random)
      let kind = Int.random(in: 0..<12, using: &random)
      var answers = [String]()
      for limiter in limiters {
        switch kind {
        case 0: answers.append("\(await limiter.peek(cost, for: key))")
        case 1: answers.append("\(await limiter.take(upTo: cost, for: key))")
        case 2 where cost == 6: answers.append("\(await limiter.penalize(30, for: key))")
        case 3 where cost == 6: answers.append("\(await limiter.reset(key))")
        case 4: answers.append("\(await limiter.request(cost, for: [key, (key + 1) % 6]))")
        default: answers.append("\(await limiter.request(cost, for: key))")
        }
      }
      guard answers[0] == answers[1] else { return "step \(step): \(answers)" }
      let pause: Int =
        switch Int.random(in: 0..<3, using: &random) {
        case 0: 0
        case 1: Int.random(in: 0..<300_000, using: &random)
        default: Int.random(in: 0..<100_000_000, using: &random)
        }
      clock.advance(by: .microseconds(pause))
    }
    return server2.statistics.failed == 0 ? nil : server2.statistics.lastFailure
  }

  /// A store whose script takes the time from a clock; its keys are kept for as long as on any.
  func store(
    _ connection: RedisConnection, on clock: ManualClock,
    offset: @escaping @Sendable () -> Int64 = { 0 }
  ) -> RedisStore {
    RedisStore(StorePolicy(timeout: .seconds(3600)), clock: clock) { call in
      let (seconds, attoseconds) = origin.duration(to: clock.now).components
      let micros = seconds * 1_000_000 + attoseconds / 1_000_000_000_000 + offset()
      guard case .source(let source) = call.script else {
        throw RedisConnection.Failure(description: "NOSCRIPT")
      }
      let script = source.replacing(
        "local now = time[1] * 1000000 + time[2]", with: "local now = ARGV[#ARGV] + 0"
      ).replacing("'PX', math.ceil(debt / ARGV[4 * i - 1] / 1000)", with: "'PX', 1000000000")
      return try await connection.numbers(
        ["EVAL", script, "\(call.keys.count)"] + call.keys + call.arguments + ["\(micros)"])
    }
  }

  func steps() async throws -> String? {
    let server = try await Server(program)
    defer { server.end() }
    let clock = ManualClock()
    let offset = Mutex<Int64>(0)
    let store = store(server.connection(), on: clock) { offset.withLock { $0 } }
    // Of another process each time, which remembers no refusal.
    var granted = 0
    var forward = 0
    for step in 0..<1000 {
      let limiter = SharedRateLimiter<Int>(
        rate: .perSecond(100), burst: 50, in: store, onFailure: .deny
      ) { "k\($0)" }
      granted += await limiter.take(upTo: 5, for: 1)
      clock.advance(by: .milliseconds(10))
      if step % 100 == 50 {
        offset.withLock { $0 += 5_000_000 }
        forward += 1
      } else if step % 100 == 0, step > 0 {
        offset.withLock { $0 -= 5_000_000 }
      }
    }
    let bound = 50 + 100 * 10 + forward * 50
    guard granted <= bound else { return "\(granted) of at most \(bound)" }
    return granted >= 500 ? nil : "\(granted): frozen for longer than a refill"
  }

  func rolling() async throws -> String? {
    let server = try await Server(program)
    defer { server.end() }
    let store = store(server.connection())
    let fast = limiter(store, .perSecond(1000), 100)
    let slow = limiter(store, .perSecond(1), 100)
    _ = await fast.take(upTo: 100, for: "a")
    let left = await slow.peek(for: "a").remaining
    guard left < 100 else { return "full after a change of the rate" }
    guard await fast.peek(100, for: "a").remaining < 100 else { return "full after a change back" }
    // More than the script can count.
    let daily = limiter(store, .every(.seconds(86_400)), 1)
    _ = await limiter(store, .perSecond(1_000_000), 1_000_000).penalize(1_000_000_000, for: "b")
    let refusal = await daily.request(for: "b")
    return refusal.source == .store && !refusal.isAllowed ? nil : "\(refusal) for the largest debt"
  }

  // MARK: A server that fails

  func store(_ connection: RedisConnection, _ policy: StorePolicy = .standard) -> RedisStore {
    RedisStore(policy) { call in try await connection.numbers([call.command] + call.words) }
  }

  func limiter(
    _ store: RedisStore, _ rate: Rate = .perSecond(1_000_000), _ burst: Int = 1000,
    onFailure failure: StoreFailure = .deny
  ) -> SharedRateLimiter<String> {
    SharedRateLimiter(rate: rate, burst: burst, in: store, onFailure: failure) { $0 }
  }

  func flush() async throws -> String? {
    let server = try await Server(program)
    defer { server.end() }
    let connection = server.connection()
    let store = store(connection, StorePolicy(timeout: .seconds(5)))
    let limiter = limiter(store)
    for round in 0..<10 {
      _ = try await connection.send(["SCRIPT", "FLUSH"])
      for key in 0..<50 {
        guard await limiter.request(for: "\(key)").source == .store else {
          return "round \(round): \(store.statistics)"
        }
      }
    }
    return store.statistics.calls == 510 ? nil : "\(store.statistics.calls) calls, not 510"
  }

  func kill() async throws -> String? {
    let server = try await Server(program)
    defer { server.end() }
    let store = store(server.connection(), StorePolicy(timeout: .milliseconds(500)))
    let limiter = limiter(store, .perSecond(1000), 1000)
    let start = ContinuousClock.now
    var granted = 0
    for _ in 0..<2 {
      for _ in 0..<300 { granted += await limiter.take(upTo: 10, for: "a") }
      server.kill()
      // Of this key no refusal is remembered, which would be the answer.
      guard await limiter.request(for: "c").source == .failurePolicy else { return "still there" }
      try await server.start()
      let back = ContinuousClock.now
      while await limiter.peek(for: "b").source != .store {
        guard ContinuousClock.now - back < .seconds(5) else { return "does not come back" }
        try await Task.sleep(for: .milliseconds(5))
      }
    }
    for _ in 0..<300 { granted += await limiter.take(upTo: 10, for: "a") }
    let time = (ContinuousClock.now - start) / .microseconds(1)
    let bound = 3 * 1000 + Int(time / 1000) + 1
    return granted <= bound ? nil : "\(granted) of at most \(bound)"
  }

  func stop() async throws -> String? {
    let server = try await Server(program)
    defer { server.end() }
    let store = store(server.connection())
    let limiter = limiter(store)
    guard await limiter.request(for: "a").source == .store else { return "not there" }
    server.pause()
    let end = ContinuousClock.now.advanced(by: .seconds(1))
    var longest = Duration.zero
    while ContinuousClock.now < end {
      let begin = ContinuousClock.now
      guard await limiter.request(for: "a").source != .store else {
        return "answered while stopped"
      }
      longest = max(longest, ContinuousClock.now - begin)
      try await Task.sleep(for: .milliseconds(1))
    }
    guard !store.isAvailable else { return "believed in while stopped" }
    guard longest < (isQuiet ? .milliseconds(80) : .seconds(1)) else { return "waited \(longest)" }
    server.resume()
    let back = ContinuousClock.now
    while await limiter.request(for: "a").source == .failurePolicy {
      guard ContinuousClock.now - back < .seconds(5) else { return "does not come back" }
      try await Task.sleep(for: .milliseconds(5))
    }
    return store.isAvailable ? nil : "its breaker stays open after an answer"
  }

  func dead() async throws -> String? {
    let store = RedisStore { _ in
      try await Task.sleep(for: .seconds(86_400))
      return []
    }
    let limiter = limiter(store)
    let start = ContinuousClock.now
    var times = [Duration]()
    for _ in 0..<20_000 {
      let begin = ContinuousClock.now
      _ = await limiter.request(for: "a")
      times.append(ContinuousClock.now - begin)
    }
    let most = 3 + Int((ContinuousClock.now - start) / .milliseconds(500)) + 1
    guard store.statistics.calls <= most else { return "\(store.statistics.calls) calls" }
    times.sort()
    guard isQuiet else { return nil }
    say("dead: p50 \(times[10_000]), p99 \(times[19_800]), longest \(times[19_999])")
    return times[10_000] < .microseconds(5) && times[19_800] < .microseconds(100)
      ? nil : "p50 \(times[10_000]), p99 \(times[19_800])"
  }

  func hostile() async throws -> String? {
    let server = try await Server(program)
    defer { server.end() }
    let connection = server.connection()
    let store = store(connection, StorePolicy(timeout: .seconds(5)))
    let limiter = limiter(store)
    let names = [
      "{", "}", "{}", "{a}{b}", "a\r\nb", "\0", "a\0b", "", "$-1\r\n", "ü🕰",
      String(repeating: "x", count: 10_000),
    ]
    for name in names {
      guard await limiter.request(for: name).source == .store else {
        return "\(name.prefix(20)): \(store.statistics)"
      }
    }
    _ = try await connection.send(["HSET", "hash", "a", "b"])
    _ = try await connection.send(["SET", "text", "five!"])
    for key in ["hash", "text"] {
      guard await limiter.request(for: key).source == .failurePolicy else {
        return "\(key) is read"
      }
    }
    guard store.isAvailable, store.statistics.failed == 2 else { return "\(store.statistics)" }
    return store.statistics.lastFailure?.contains("PACING") == true
      ? nil : "\(store.statistics.lastFailure ?? "no failure")"
  }
}

/// The beginning of a manual clock's time.
private let origin = ManualClock().now
