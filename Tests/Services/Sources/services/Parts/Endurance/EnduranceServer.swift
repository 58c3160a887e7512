import Foundation
import Hummingbird
import NIOPosix
import Pacing
import PacingHTTP
import Synchronization

/// The server of the part `endurance`, in a process of its own.
///
/// It limits, works, writes what it has accepted, polls, and drains at SIGTERM. Its standard output
/// is its record.
enum EnduranceServer {
  static let user = Bound(perSecond: 4, burst: 4)
  static let everyone = Bound(perSecond: 12, burst: 6)
  static let permits = 2
  /// The longest wait of a write before it begins.
  static let delay = Duration.milliseconds(300)

  static func run() async throws {
    // Ends with its parent, which holds the other end of a pipe.
    Thread.detachNewThread {
      _ = try? FileHandle.standardInput.readToEnd()
      exit(1)
    }
    let permits = ConcurrencyLimit(permits)
    let rows = Batcher<String>(maximumCount: 20, maximumDelay: delay).handle { ids in
      await work(.milliseconds(20))
      Note.write("kept", ids)
    }
    let saves = Debouncer<String>(for: .milliseconds(100), maximumWait: delay).handle { count in
      await work(.milliseconds(20))
      Note.write("saved", [count])
    }
    let schedule = PollSchedule(every: .milliseconds(100), first: .aligned)
    let poller = Poller(schedule) { "\(wallOffset())" }
      .handle { poll in Note.write("poll", [poll.value ?? "failed"]) }
    let count = Mutex(0)
    let router = router(permits) { id, begin in
      Note.write("accepted", [id], since: begin)
      // Counted and sent in one step, so that the count sent last is the newest.
      count.withLock { count in
        count += 1
        rows.send(id)
        saves.send("\(count)")
      }
    }
    // With several event loops, a connection that is accepted while the server shuts down may have
    // no owner, which traps (apple/swift-nio#2637).
    let server = Application(
      router: router, configuration: .init(address: .hostname("127.0.0.1", port: 0)),
      services: [Writing(rows: rows), Saving(edits: saves), Polling(poller: poller)],
      onServerRunning: { channel in Note.write("port", ["\(channel.localAddress?.port ?? 0)"]) },
      eventLoopGroupProvider: .shared(MultiThreadedEventLoopGroup(numberOfThreads: 1)),
      logger: quietLogger())
    try await server.runService(gracefulShutdownSignals: [.sigterm])
    Note.write("held", ["\(permits.heldCount)"])
  }

  /// Accepts a write after some work, within the limits of its user, of everyone, and of the work.
  private static func router(
    _ permits: ConcurrencyLimit, accept: @escaping @Sendable (_ id: String, _ begin: Int) -> Void
  ) -> Router<BasicRequestContext> {
    let users = KeyedRateLimiter<String>(maximumKeys: 1000) { _ in user.quota }
    let writer = RateLimitWriter(.tokenBucket(user.quota).named("user"))
    let everyone = RateLimiter(.tokenBucket(everyone.quota))
    let router = Router()
    router.put("writes/:id") { request, context in
      guard let user = request.headers[.user] else { throw HTTPError(.unauthorized) }
      let arrival = monotonicTime()
      let decision = users.request(for: user)
      guard decision.isAllowed else {
        var response = Response(status: .tooManyRequests)
        for (name, value) in writer.fields(for: decision) {
          response.headers[.init(name)!] = value
        }
        return response
      }
      Note.write("user", [user], since: arrival)
      let id = try context.parameters.require("id")
      do {
        let turn = monotonicTime()
        try await everyone.acquire(within: .milliseconds(100))
        Note.write("everyone", ["-"], since: turn)
        return try await permits.withPermit(within: .milliseconds(500)) {
          let begin = monotonicTime()
          await work(.milliseconds(Int.random(in: 20...150)))
          accept(id, begin)
          return Response(status: .ok)
        }
      } catch AcquireError.deadline(let wait) {
        // No time can be named if no permit was free.
        return Response(
          status: .serviceUnavailable, headers: wait == nil ? [:] : [.retryAfter: "1"])
      }
    }
    return router
  }

  private static func work(_ time: Duration) async {
    try? await DispatchClock().sleep(for: time)
  }
}
