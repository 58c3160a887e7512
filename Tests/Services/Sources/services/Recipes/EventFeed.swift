import AsyncHTTPClient
import NIOCore
import Pacing
import PacingHTTP
import Synchronization

// snippet: recipe-feed-connection
/// Server-sent events; each connection goes on behind the last event seen.
final class EventFeed: Sendable {
  private let url: String
  private let last = Mutex<String?>(nil)

  init(_ url: String) { self.url = url }

  /// The events of one connection, of one line of data each.
  func connect() async throws -> some AsyncSequence<String, any Error> {
    var request = HTTPClientRequest(url: url)
    request.headers.add(name: "Accept", value: "text/event-stream")
    if let last = last.withLock(\.self) { request.headers.add(name: "Last-Event-ID", value: last) }
    let response = try await HTTPClient.shared.execute(request, deadline: .distantFuture)
    guard response.status == .ok else {
      throw Refused(pause: RateLimitFields { response.headers.first(name: $0) }.pause())
    }
    return response.body.splitUTF8Lines().compactMap { [self] line in
      if line.hasPrefix("id: ") { last.withLock { $0 = String(line.dropFirst(4)) } }
      return line.hasPrefix("data: ") ? String(line.dropFirst(6)) : nil
    }
  }

  struct Refused: RetryAdvising {
    let pause: Duration?
    var retryAdvice: RetryAdvice? { pause.map { .retry(after: $0) } }
  }
}
// end

/// The events of all connections.
func show(
  _ feed: EventFeed, every delay: Duration, _ show: @Sendable (String) -> Void
) async throws {
  // snippet: recipe-feed-stream
  let policy = RetryPolicy(
    backoff: .exponential(from: delay).capped(at: .seconds(30)), maximumAttempts: nil
  ).resetting(afterHealthy: .seconds(30))
  for try await event in retrying(policy, { try await feed.connect() }) { show(event) }
  // end
}

/// The same without a loop of your own: connects again until it is closed.
actor LiveFeed {
  private let feed: EventFeed
  private let show: @Sendable (String) -> Void
  private let again: RetryTimer
  private var isClosed = false

  init(_ feed: EventFeed, backoff: Backoff, show: @escaping @Sendable (String) -> Void) {
    (self.feed, self.show) = (feed, show)
    again = RetryTimer(backoff: backoff, healthyPeriod: .seconds(30))
    again.handle(in: self) { live, _ in await live.listen() }
    again.scheduleNext()
  }

  private func listen() async {
    var pause = Duration.zero
    do {
      for try await event in try await feed.connect() {
        if isClosed { return }
        show(event)
      }
    } catch {
      pause = (error as? EventFeed.Refused)?.pause ?? .zero
    }
    if !isClosed { again.scheduleNext(after: pause) }  // or later, if the backoff is longer
  }

  /// Connects no more; an open connection is left at its next event.
  func close() {
    isClosed = true
    again.cancel()
  }
}
