import Hummingbird
import NIOCore
import Pacing

/// Server-sent events over connections that break.
enum FeedPart {
  private static let count = 30

  /// A server that breaks each connection after ten events, and refuses the second for a second.
  private static func router(_ arrivals: Instants) -> Router<BasicRequestContext> {
    struct Broken: Error {}
    let router = Router()
    router.get("events") { request, _ in
      let connection = arrivals.note("events")
      if connection == 1 {
        return Response(status: .serviceUnavailable, headers: [.retryAfter: "1"])
      }
      let last = Int(request.headers[.init("Last-Event-ID")!] ?? "0") ?? 0
      let body = ResponseBody { writer in
        for id in (last + 1)..<(min(last + 10, count) + 1) {
          try await writer.write(ByteBuffer(string: "id: \(id)\ndata: event \(id)\n\n"))
        }
        if last < count { throw Broken() }
        try await writer.finish(nil)
      }
      return Response(status: .ok, headers: [.contentType: "text/event-stream"], body: body)
    }
    return router
  }

  /// The connections came as late as their backoff and the server's hint demand.
  ///
  /// A connection may break before its last events have been read, so there may be more of them.
  private static func check(_ arrivals: Instants, backoff: (_ number: Int) -> Duration) throws {
    let gaps = arrivals.gaps("events")
    try demand(gaps.count >= 3, "\(gaps.count + 1) connections")
    for (number, gap) in gaps.enumerated() {
      let least = number == 1 ? .seconds(1) : backoff(number)
      try demand(gap >= least, "connected again after \(gap), not \(least)")
    }
  }

  private static let delay = Duration.milliseconds(50)

  @Sendable static func stream() async throws {
    let arrivals = Instants()
    try await withServer(router(arrivals)) { url in
      let journal = Journal()
      try await show(EventFeed(url + "/events"), every: delay) { journal.note($0) }
      try demand(journal.lines == (1...count).map { "event \($0)" }, "\(journal.lines)")
    }
    try check(arrivals) { number in delay * (1 << number) }
  }

  @Sendable static func timer() async throws {
    let arrivals = Instants()
    try await withServer(router(arrivals)) { url in
      let (events, event) = AsyncStream.makeStream(of: String.self)
      let live = LiveFeed(EventFeed(url + "/events"), backoff: .constant(delay)) { event.yield($0) }
      var lines = [String]()
      for await line in events {
        lines.append(line)
        if lines.count == count { break }
      }
      await live.close()
      try demand(lines == (1...count).map { "event \($0)" }, "\(lines)")
    }
    try check(arrivals) { _ in delay }
  }
}
