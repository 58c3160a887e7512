import Foundation
import Pacing
import PacingRedis
import Synchronization

/// What calls cost. On a quiet machine the figures are printed and bounded; elsewhere only the
/// number of calls is checked.
extension Parts {
  /// The library's script, as a store sends it: by its digest, and whole if the server asks for it.
  static func script() async -> (digest: String, source: String) {
    let script = Mutex(("", ""))
    let store = RedisStore { call in
      switch call.script {
      case .digest(let text): script.withLock { $0.0 = text }
      case .source(let text): script.withLock { $0.1 = text }
      }
      throw RedisConnection.Failure(description: "NOSCRIPT")
    }
    _ = await SharedRateLimiter<Int>(rate: .perSecond(1), burst: 1, in: store, onFailure: .deny) {
      "\($0)"
    }.request(for: 1)
    return script.withLock { $0 }
  }

  /// What a call takes: the client's time in the middle and at the 99th percentile, and the
  /// server's processor time, in nanoseconds.
  struct Price {
    let name: String
    var times: [Duration] = []
    var server = 0.0

    func time(_ percent: Int) -> Double {
      times.sorted()[times.count * percent / 100] / .nanoseconds(1)
    }

    /// What the benchmarks read: lines of a name, a value and a unit.
    var lines: [String] {
      ["\(name), p50\t\(time(50))\tns", "\(name), p99\t\(time(99))\tns"]
        + (server > 0 ? ["\(name), server\t\(server)\tns CPU"] : [])
    }
  }

  /// The prices of a request and of bare commands, each in turn in one loop, and how many calls of
  /// the script there were.
  private func prices(rounds: Int) async throws -> (prices: [Price], calls: Int) {
    let server = try await Server(program)
    defer { server.end() }
    let connection = server.connection()
    let store = store(connection, StorePolicy(timeout: .seconds(5)))
    let limiter = limiter(store, .perSecond(1_000_000), 1_000_000)
    _ = await limiter.request(for: "a")
    let decide = ["EVALSHA", await Self.script().digest, "1", "b", "1", "0", "1000", "1"]
    let commands = [decide + ["1000000", "1"], ["INCR", "c"], ["GET", "c"]]
    let names = ["SharedRateLimiter.request", "EVALSHA of its script", "INCR", "GET"]
    var prices = names.map { Price(name: $0) }
    for _ in 0..<rounds {
      var start = ContinuousClock.now
      func lap(_ index: Int) {
        let end = ContinuousClock.now
        prices[index].times.append(end - start)
        start = end
      }
      _ = await limiter.request(for: "a")
      lap(0)
      for (index, words) in commands.enumerated() {
        _ = try await connection.send(words)
        lap(index + 1)
      }
    }
    let calls = try await connection.count(of: "evalsha")
    for (index, words) in commands.enumerated() {
      let start = try await connection.processorTime()
      for _ in 0..<rounds { _ = try await connection.send(words) }
      prices[index + 1].server = try await (connection.processorTime() - start) / Double(rounds)
    }
    return (prices, calls)
  }

  /// A request takes hardly longer than its call, which is little work for the server.
  func cost() async throws -> String? {
    let rounds = isQuiet ? 20_000 : 500
    let (prices, calls) = try await prices(rounds: rounds)
    guard (rounds * 2...rounds * 2 + 1).contains(calls) else { return "\(calls) calls" }
    guard isQuiet else { return nil }
    prices.flatMap(\.lines).forEach(say)
    guard prices[0].time(50) <= prices[1].time(50) * 1.5 else { return "a request takes long" }
    return prices[1].server <= prices[3].server * 3 ? nil : "the script takes long"
  }

  /// What the benchmarks show: prices, and decisions a second.
  func figures() async throws -> [String] {
    try await prices(rounds: 5000).prices.flatMap(\.lines)
      + decisions().map { "SharedRateLimiter.request, \($0)\t\($1)\t/s" }
      + ["SharedRateLimiter.request from a lease\t\(await leasedDecision())\tns"]
  }

  /// What one decision from a lease takes, in nanoseconds: of one key of eight bytes, with the
  /// store in this process, in the fastest of many rounds.
  func leasedDecision() async -> Double {
    let limiter = SharedRateLimiter<UInt64>(
      rate: .perSecond(1_000_000_000), burst: 1_000_000_000, in: .inMemory(), onFailure: .deny,
      leasing: Lease(atMost: 1_000_000, for: .seconds(10))
    ) { "user:\($0)" }
    var least = Duration.seconds(1)
    for _ in 0..<200 {
      let start = ContinuousClock.now
      for _ in 0..<10_000 { _ = await limiter.request(for: 7) }
      least = min(least, ContinuousClock.now - start)
    }
    return least / .nanoseconds(10_000)
  }

  /// Decisions a second: of one task, of many that share calls, and from leases.
  private func decisions() async throws -> [(String, Int)] {
    let server = try await Server(program)
    defer { server.end() }
    func count(_ tasks: Int, _ lease: Lease? = nil) async -> Int {
      let store = store(server.connection(), StorePolicy(timeout: .seconds(5)))
      let limiter = SharedRateLimiter<String>(
        rate: .perSecond(10_000_000), burst: 10_000_000, in: store, onFailure: .deny,
        leasing: lease
      ) { $0 }
      let end = ContinuousClock.now.advanced(by: .seconds(1))
      await withTaskGroup { group in
        for _ in 0..<tasks {
          group.addTask {
            while ContinuousClock.now < end { _ = await limiter.request(for: "a") }
          }
        }
      }
      return limiter.statistics.granted
    }
    return await [
      ("one task", count(1)), ("50 tasks", count(50)),
      ("one task with leases", count(1, Lease(atMost: 5000, for: .milliseconds(50)))),
    ]
  }

  /// Leases answer without a call.
  func leases() async throws -> String? {
    guard isQuiet else { return nil }
    let decisions = try await decisions()
    say("leases: \(decisions)")
    return decisions[2].1 > 10 * decisions[0].1 ? nil : "a lease is hardly faster"
  }

  /// A million keys expire by themselves, and the client forgets them.
  func many() async throws -> String? {
    let server = try await Server(program)
    defer { server.end() }
    let connection = server.connection()
    let store = store(connection, StorePolicy(timeout: .seconds(5), callLimit: 10_000))
    let limiter = limiter(store, Rate(1, per: .seconds(86_400)), 10)
    let count = isQuiet ? 1_000_000 : 2000
    func request(_ keys: Range<Int>) async {
      await withTaskGroup { group in
        for task in 0..<100 {
          group.addTask {
            for key in stride(from: keys.lowerBound + task, to: keys.upperBound, by: 100) {
              _ = await limiter.request(for: "\(key)")
            }
          }
        }
      }
    }
    await request(0..<count / 10)
    let before = residentBytes()
    await request(count / 10..<count)
    let after = residentBytes()
    guard case .text(let text) = try await connection.send(["INFO", "keyspace"]) else { return "?" }
    guard text.contains("keys=\(count),expires=\(count),"), limiter.statistics.granted == count
    else { return "\(text) \(store.statistics)" }
    guard isQuiet else { return nil }
    say("many: \(before >> 20) MB after \(count / 10) keys, \(after >> 20) MB after \(count)")
    return after <= before + 8 << 20 ? nil : "\(after - before) bytes more"
  }
}

/// The memory of this process, where the system says so in a file.
private func residentBytes() -> Int {
  let text = try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8)
  return (text?.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0) * 4096
}
