import AsyncHTTPClient
import Foundation
import Hummingbird
import NIOCore
import NIOPosix
import Pacing
import PacingHTTP

/// What a limit costs a server, beside a middleware that does nothing: for a machine that does
/// nothing else.
enum Measure {
  private struct NoOp<Context: RequestContext>: RouterMiddleware {
    func handle(
      _ request: Request, context: Context, next: (Request, Context) async throws -> Response
    ) async throws -> Response {
      try await next(request, context)
    }
  }

  /// The limit without its fields.
  private struct LimitAlone<Context: RequestContext>: RouterMiddleware {
    let limiter: KeyedRateLimiter<String>

    func handle(
      _ request: Request, context: Context, next: (Request, Context) async throws -> Response
    ) async throws -> Response {
      guard let user = request.headers[.user], limiter.tryAcquire(for: user) else {
        return Response(status: .tooManyRequests)
      }
      return try await next(request, context)
    }
  }

  private static let requests = 4000
  private static let rounds = 45

  private static let names = ["no-op", "limit", "fields"]

  private static func router() -> Router<BasicRequestContext> {
    let quota = Quota(rate: .perSecond(1_000_000), burst: 1_000_000)
    func limiter() -> KeyedRateLimiter<String> { .init(maximumKeys: 100_000) { _ in quota } }
    let writer = RateLimitWriter(.tokenBucket(quota).named("user"))
    let router = Router()
    router.group("no-op").add(middleware: NoOp()).get("work") { _, _ in "done" }
    router.group("limit").add(middleware: LimitAlone(limiter: limiter()))
      .get("work") { _, _ in "done" }
    router.group("fields").add(middleware: UserLimit(limiter: limiter(), writer: writer))
      .get("work") { _, _ in "done" }
    return router
  }

  /// The CPU time of this process so far, in microseconds.
  private static func time() -> Int {
    var time = timespec()
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
    return Int(time.tv_sec) * 1_000_000 + Int(time.tv_nsec) / 1000
  }

  /// Sends requests from a process of its own, so that their time is not the server's.
  private static func load(_ url: String) throws {
    let client = Process()
    client.executableURL = URL(filePath: CommandLine.arguments[0])
    client.arguments = ["--load", url]
    try client.run()
    client.waitUntilExit()
    try demand(client.terminationStatus == 0, "the load ended with \(client.terminationStatus)")
  }

  static func run() async throws {
    let times = try await withServer(router()) { url in
      var times = [[Int]](repeating: [], count: names.count)
      // The first round warms up.
      for round in 0...rounds {
        for (row, name) in names.enumerated() {
          let start = time()
          try load("\(url)/\(name)/work")
          if round > 0 { times[row].append(time() - start) }
        }
      }
      return times
    }
    for (row, name) in names.enumerated() {
      let time = median(times[row].map { Double($0) / Double(requests) })
      let share = median(zip(times[row], times[0]).map { Double($0) / Double($1) })
      print(
        "\(name): \(rounded(time)) µs of CPU a request, in the middle of \(rounds) rounds; "
          + "\(rounded(share)) × the no-op of the same round")
    }
    try await loop()
  }

  /// The time of a value on an event loop, beside that of a hop to it.
  private static func loop() async throws {
    let loop = MultiThreadedEventLoopGroup.singleton.next()
    let newest = Debouncer<Int>(for: .seconds(60)) { _ in }
    let limit = TokenBucket(rate: .perSecond(1_000_000), burst: 1_000_000)
    let count = 1_000_000
    let (sends, asks) = try await loop.submit {
      let start = ContinuousClock.now
      for value in 0..<count { newest.send(value) }
      let middle = ContinuousClock.now
      for _ in 0..<count { _ = limit.tryAcquire() }
      return (start.duration(to: middle), middle.duration(to: .now))
    }.get()
    let start = ContinuousClock.now
    for _ in 0..<count { loop.execute {} }
    try await loop.submit {}.get()
    let hops = start.duration(to: .now)
    for (name, time) in [("send", sends), ("tryAcquire", asks), ("a hop", hops)] {
      print("\(name) on an event loop: \(rounded(time / .nanoseconds(1) / Double(count))) ns")
    }
  }

  private static func median(_ numbers: [Double]) -> Double {
    numbers.sorted()[numbers.count / 2]
  }

  private static func rounded(_ number: Double) -> String { String(format: "%.3g", number) }

  /// The other process.
  static func load(_ url: String, requests: Int = requests) async throws {
    try await withThrowingTaskGroup { tasks in
      for client in 0..<8 {
        tasks.addTask {
          for _ in 0..<(requests / 8) {
            let answer = try await get(url, as: "user-\(client)")
            try demand(answer.status == 200, "status \(answer.status)")
          }
        }
      }
      try await tasks.waitForAll()
    }
  }
}
