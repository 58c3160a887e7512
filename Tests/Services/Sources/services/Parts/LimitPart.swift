import Hummingbird
import Pacing
import PacingHTTP
import PacingRedis

/// A limit for each user, under load over loopback.
enum LimitPart {
  /// What the clients of one user were answered.
  struct Count: Sendable {
    var admitted = 0
    var refused = 0
  }

  /// Sends requests of one user, and checks the fields of each response.
  private static func load(
    _ url: String, as user: String, requests: Int, quota: Quota
  ) async throws -> Count {
    var count = Count()
    let limit = Limit.tokenBucket(quota).named("user")
    let policy = RateLimitWriter(limit).policy
    for _ in 0..<requests {
      let answer = try await get(url, as: user)
      try demand(answer["RateLimit-Policy"] == policy, "policy \(answer["RateLimit-Policy"] ?? "")")
      let fields = RateLimitFields { answer[$0] }
      let left = fields.limits.first?.remaining ?? -1
      switch answer.status {
      case 200:
        count.admitted += 1
        try demand((0..<quota.burst).contains(left), "\(left) left after a grant")
        try demand(fields.retryAfter == nil, "Retry-After with a grant")
      case 429:
        count.refused += 1
        try demand(left == 0, "\(left) left after a refusal")
        try demand(fields.retryAfter == .seconds(1), "wait \(fields.retryAfter ?? .zero)")
        try demand(fields.limits[0].resetAfter == .seconds(1), "reset of \(fields.limits[0])")
      default: throw Wrong(description: "status \(answer.status)")
      }
    }
    return count
  }

  /// Contends on a router, and compares what its handler saw with what the quota allows.
  private static func contend(
    _ router: Router<BasicRequestContext>, users: Int, clients: Int, requests: Int,
    perSecond rate: Int, burst: Int
  ) async throws -> Count {
    let quota = Quota(rate: .perSecond(rate), burst: burst)
    let handled = Instants()
    router.get("work") { request, _ in
      handled.note(request.headers[.user] ?? "")
      return "done"
    }
    return try await withServer(router) { url in
      let start = DispatchClock().now
      var counts = [String: Count]()
      try await withThrowingTaskGroup(of: (String, Count).self) { tasks in
        for user in 0..<users {
          for _ in 0..<clients {
            tasks.addTask {
              let name = "user-\(user)"
              let url = url + "/work"
              return (name, try await load(url, as: name, requests: requests, quota: quota))
            }
          }
        }
        for try await (name, count) in tasks {
          counts[name, default: Count()].admitted += count.admitted
          counts[name, default: Count()].refused += count.refused
        }
      }
      let elapsed = start.duration(to: DispatchClock().now)
      let bound = burst + Int(elapsed / .nanoseconds(1)) * rate / 1_000_000_000
      var sum = Count()
      for (name, count) in counts {
        let admitted = handled[name].count
        try demand(admitted == count.admitted, "\(name): \(admitted) of \(count.admitted) handled")
        try demand(admitted <= bound, "\(name): \(admitted) admitted of at most \(bound)")
        try demand(admitted >= burst, "\(name): \(admitted) admitted of a full bucket")
        sum.admitted += count.admitted
        sum.refused += count.refused
      }
      try demand(sum.admitted + sum.refused == users * clients * requests, "\(sum)")
      // A user that waits as long as the server says is admitted.
      let refusal = try await get(url + "/work", as: "user-0")
      if refusal.status == 429 {
        sum.refused += 1
        try await DispatchClock().sleep(for: RateLimitFields { refusal[$0] }.pause()!)
        let answer = try await get(url + "/work", as: "user-0")
        try demand(answer.status == 200, "refused after the wait that the server named")
      }
      sum.admitted += 1
      return sum
    }
  }

  /// Contends, and compares the limiter's own counts with those of the clients.
  private static func compare(
    users: Int, clients: Int, requests: Int, perSecond rate: Int
  ) async throws {
    let (router, limiter) = limitedRouter(Quota(rate: .perSecond(rate), burst: 10))
    let count = try await contend(
      router, users: users, clients: clients, requests: requests, perSecond: rate, burst: 10)
    let counts = limiter.statistics
    try demand(counts.granted == count.admitted, "\(counts), and \(count)")
    try demand(counts.refused == count.refused, "\(counts), and \(count)")
  }

  @Sendable static func oneUser() async throws {
    try await compare(users: 1, clients: 8, requests: 50, perSecond: 5)
  }

  @Sendable static func fiftyUsers() async throws {
    try await compare(users: 50, clients: 1, requests: 40, perSecond: 1)
  }

  @Sendable static func shared() async throws {
    let router = limitedRouter(Quota(rate: .perSecond(5), burst: 10), in: .inMemory())
    _ = try await contend(
      router, users: 2, clients: 4, requests: 25, perSecond: 5, burst: 10)
  }

  /// A store that is away is not the user's fault.
  @Sendable static func away() async throws {
    struct Away: Error {}
    let store = RedisStore { _ in throw Away() }
    let router = limitedRouter(Quota(rate: .perSecond(5), burst: 10), in: store)
    router.get("work") { _, _ in "done" }
    try await withServer(router) { url in
      for _ in 1...5 {
        let answer = try await get(url + "/work", as: "ann")
        try demand(answer.status == 503, "status \(answer.status)")
      }
    }
  }
}
