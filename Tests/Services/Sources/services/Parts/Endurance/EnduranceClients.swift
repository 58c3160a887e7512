import AsyncHTTPClient
import Pacing
import PacingHTTP
import Synchronization

/// Clients that write all along, one call after the other, and what they were told.
final class EnduranceClients: Sendable {
  struct Tally {
    var url = ""
    var calls = 0
    /// How often each thing has happened.
    var counts = [String: Int]()
    /// The attempts that were answered with a success, and those whose connection broke.
    var answered = Set<String>()
    var broken = Set<String>()
    var faults = [String]()
  }

  static let users = (1...4).map { "user-\($0)" }
  private static let timeout = Duration.seconds(3)
  private static let http: HTTPClient = {
    var configuration = HTTPClient.Configuration()
    // What to do about a connection that is refused is the policy's decision.
    configuration.connectionPool.retryConnectionEstablishment = false
    return HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
  }()

  private let tallied = Mutex(Tally())
  private let clock = DispatchClock()
  private let pace = TokenBucket(rate: .perSecond(40), burst: 10)
  private let budget = RetryBudget(capacity: 200, cost: 2)

  var tally: Tally { tallied.withLock(\.self) }

  private var policy: RetryPolicy {
    RetryPolicy(
      backoff: .exponential(from: .milliseconds(100)).capped(at: .seconds(1)).jittered(.full),
      maximumAttempts: 6, attemptTimeout: .milliseconds(1500),
      onGiveUp: { [self] in count("gave up: \($0.reason)") }
    ).limited(by: pace).sharing(budget)
  }

  func move(to url: String) { tallied.withLock { $0.url = url } }

  /// Writes as a user until an instant.
  func write(as user: String, until end: PacingInstant) async {
    while clock.now < end, !Task.isCancelled { await call(as: user) }
  }

  /// A user that waits as long as it is told to is served, if no other client calls.
  func writeAlone() async throws {
    for number in 1...20 {
      let answer = try await put("alone.\(number)", as: Self.users[0])
      guard let pause = answer.pause else { continue }
      try await clock.sleep(for: pause)
      let again = try await put("alone.again", as: Self.users[0])
      return try demand(again.status == 200, "\(again.status) after the wait of \(pause)")
    }
  }

  private func call(as user: String) async {
    let number = tallied.withLock { tally in
      tally.calls += 1
      return tally.calls
    }
    let start = clock.now
    var (earliest, isAnswered) = (start, false)
    do {
      let answer = try await withTimeout(Self.timeout) {
        try await retry(policy) { (answer: Answer) -> RetryAdvice? in
          isAnswered = answer.status == 200
          if isAnswered { return nil }
          let isRight = answer.status != 429 || answer.pause == .seconds(1)
          expect(isRight, "a token in \(answer.pause as Any)")
          earliest = clock.now.advanced(by: answer.pause ?? .zero)
          return answer.pause.map { .retry(after: $0) } ?? .retry
        } _: { attempt in
          expect(!isAnswered, "an attempt after the answer")
          expect(clock.now >= earliest, "an attempt before the time that the server named")
          return try await put("\(number).\(attempt.number)", as: user)
        }
      }
      count("calls that ended with \(answer.status)")
    } catch {
      let isOuter = (error as? TimeoutError)?.limit == Self.timeout
      expect(!isOuter || start.duration(to: clock.now) >= Self.timeout, "timed out early")
      count("calls that \(isOuter ? "timed out" : "failed")")
    }
  }

  private func put(_ id: String, as user: String) async throws -> Answer {
    var request = HTTPClientRequest(url: tallied.withLock { "\($0.url)/writes/\(id)" })
    request.method = .PUT
    request.headers.add(name: "X-User", value: user)
    do {
      let answer = try await Answer(Self.http.execute(request, timeout: .seconds(30)))
      count("\(answer.status)")
      if answer.status == 200 { tallied.withLock { _ = $0.answered.insert(id) } }
      return answer
    } catch {
      // Cut off by this side's own limit, or by the server.
      count(Task.isCancelled ? "cut off" : "broken")
      if !Task.isCancelled { tallied.withLock { _ = $0.broken.insert(id) } }
      throw error
    }
  }

  private func count(_ name: String) { tallied.withLock { $0.counts[name, default: 0] += 1 } }

  private func expect(_ condition: Bool, _ fault: @autoclosure () -> String) {
    if !condition { tallied.withLock { $0.faults.append(fault()) } }
  }
}

extension Answer {
  /// The pause that the server asks for.
  fileprivate var pause: Duration? { RateLimitFields { self[$0] }.pause() }
}
