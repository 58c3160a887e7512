import AsyncHTTPClient
import Foundation
import Hummingbird
import Pacing
import Synchronization

/// Clients that keep to what servers allow, over loopback.
enum ClientPart {
  // MARK: A model

  /// The buckets of a server, reckoned with floats and apart from the library.
  private struct Account {
    var requests = Bucket(perSecond: 2, burst: 20)
    var tokens = Bucket(perSecond: 1000, burst: 20_000)
    var answered = 0
    var used = 0
    var refused = 0

    struct Bucket {
      let perSecond: Double
      let burst: Double
      var level: Double
      var seen = 0.0

      init(perSecond: Double, burst: Double) {
        (self.perSecond, self.burst, level) = (perSecond, burst, burst)
      }

      mutating func refill(at now: Double) {
        level = min(burst, level + max(0, now - seen) * perSecond)
        seen = max(seen, now)
      }
    }

    mutating func admit(_ cost: Double, at now: Double) -> Bool {
      requests.refill(at: now)
      tokens.refill(at: now)
      guard requests.level >= 1, tokens.level >= cost else {
        refused += 1
        return false
      }
      requests.level -= 1
      tokens.level -= cost
      return true
    }

    mutating func settle(_ cost: Double, as used: Double, at now: Double) {
      tokens.refill(at: now)
      tokens.level = min(tokens.burst, tokens.level + cost - used)
      answered += 1
      self.used += Int(used)
    }

    var fields: [(String, String)] {
      [
        ("x-ratelimit-remaining-requests", "\(Int(requests.level))"),
        ("x-ratelimit-remaining-tokens", "\(max(0, Int(tokens.level)))"),
        ("x-ratelimit-reset-tokens", "1s"), ("x-ratelimit-reset-requests", "1s"),
      ]
    }
  }

  /// Ten minutes in ten seconds: no call is refused, and hardly anything is left unused.
  @Sendable static func model() async throws {
    let clock = FastClock(factor: 60)
    let account = Mutex(Account())
    let seconds = { @Sendable in clock.now.sinceStart / .seconds(1) }
    let router = Router()
    router.get("ask/:most/:used") { _, context in
      let most = Double(try context.parameters.require("most", as: Int.self))
      let used = Double(try context.parameters.require("used", as: Int.self))
      guard account.withLock({ $0.admit(most, at: seconds()) }) else {
        return Response(status: .tooManyRequests, headers: [.retryAfter: "1"])
      }
      try await clock.sleep(for: .seconds(1))
      var response = Response(status: .ok)
      response.headers[.init("x-used-tokens")!] = "\(Int(used))"
      let fields = account.withLock { account in
        account.settle(most, as: used, at: seconds())
        return account.fields
      }
      for (name, value) in fields { response.headers[.init(name)!] = value }
      return response
    }
    try await withServer(router) { url in
      // A full bucket of the server gains nothing while calls are on their way to it, and the
      // client's does. So the client's burst and all that can be on its way, 4 times 2500, are less
      // than the server's burst: then no hitch of the network makes the client overdraw.
      let client = ModelClient(
        limiter: RateLimiter(
          .tokenBucket(rate: .perSecond(2), burst: 10).named(.requests),
          .tokenBucket(rate: .perSecond(1000), burst: 5000).named(.tokens), clock: clock),
        permits: ConcurrencyLimit(4, clock: clock),
        policy: RetryPolicy(backoff: .constant(.seconds(1)), maximumAttempts: 3), clock: clock
      ) { try await HTTPClient.shared.execute($0, timeout: .seconds(30)) }
      let end = seconds() + 600
      let start = account.withLock { $0.used }
      try await withThrowingTaskGroup(of: Void.self) { tasks in
        for _ in 0..<8 {
          tasks.addTask {
            while seconds() < end {
              let used = Int.random(in: 1500...2500)
              let answer = try await client.ask("\(url)/ask/2500/\(used)", most: 2500)
              try demand(answer.tokens == used, "\(answer.tokens) tokens of \(used)")
            }
          }
        }
        try await tasks.waitForAll()
      }
      let (used, refused) = account.withLock { ($0.used - start, $0.refused) }
      let allowed = Int((seconds() - end + 600) * 1000)
      try demand(refused == 0, "\(refused) refused")
      try demand(used >= allowed * 95 / 100, "\(used) tokens of \(allowed)")
      print("model: \(used) tokens of \(allowed), \(refused) refused")
    }
  }

  // MARK: A crawler

  /// How many requests of each host run, and the most that ever did.
  private struct Load {
    var running = [String: Int]()
    var peaks = [String: Int]()
    var mostOfAll = 0
    var ended = [String]()

    mutating func begin(_ host: String) {
      running[host, default: 0] += 1
      peaks[host] = max(peaks[host] ?? 0, running[host]!)
      mostOfAll = max(mostOfAll, running.values.reduce(0, +))
    }

    mutating func end(_ host: String) {
      running[host]! -= 1
      ended.append(host)
    }
  }

  /// A busy host beside forty others: four at a time of each, and sixteen in all.
  @Sendable static func crawler() async throws {
    let load = Mutex(Load())
    let router = Router()
    router.get("page/:host") { _, context in
      let host = try context.parameters.require("host")
      load.withLock { $0.begin(host) }
      try await Task.sleep(for: .milliseconds(5))
      load.withLock { $0.end(host) }
      return "page"
    }
    try await withServer(router) { url in
      let hosts = KeyedConcurrencyLimit<String>(perKey: 4, total: 16)
      try await withThrowingTaskGroup(of: Void.self) { tasks in
        for page in 0..<600 {
          let host = page < 400 ? "busy" : "host-\(page % 40)"
          tasks.addTask {
            let answer = try await hosts.withPermit(for: host, within: .seconds(60)) {
              try await get("\(url)/page/\(host)")
            }
            try demand(answer.status == 200, "status \(answer.status)")
          }
        }
        try await tasks.waitForAll()
      }
      let seen = load.withLock(\.self)
      try demand(seen.peaks.values.allSatisfy { $0 <= 4 }, "\(seen.peaks)")
      try demand(seen.peaks["busy"] == 4 && seen.mostOfAll <= 16, "\(seen.mostOfAll) in all")
      try demand(seen.ended.count == 600 && hosts.keyCount == 0, "\(hosts.keyCount) keys")
      let last = seen.ended.lastIndex { $0 != "busy" }!
      let busyBefore = seen.ended[..<last].count { $0 == "busy" }
      try demand(busyBefore < 300, "\(busyBefore) pages of the busy host before the last other")
    }
  }
}
