import Pacing
import PacingTesting
import TestSupport
import Testing

/// Retries and polls on real time, real sockets and a server that misbehaves.
@Suite("Retrying against a server")
struct LoopbackTests {
  private static func fetch(_ server: LoopbackServer) async throws -> Int {
    let response = try await server.request()
    guard response.status == 200 else { throw ServerFailure(response: response) }
    return response.status
  }

  private static func sorted(_ error: (any Error)?) -> String {
    switch error {
    case is ConnectionLost: "lost"
    case is TimeoutError: "timeout"
    case let error as ServerFailure: "\(error.response.status)"
    default: "none"
    }
  }

  @Test("retry gets through failures, a hang, a Retry-After and a lost connection")
  func retries() async throws {
    let server = try LoopbackServer(
      [.hangUp, .status(500), .silence, .status(503, retryAfter: 1)], then: .status(200))
    defer { server.stop() }
    let failures = Recorder<String>()
    let policy = RetryPolicy(
      backoff: .exponential(from: .milliseconds(10)).capped(at: .milliseconds(50)),
      maximumAttempts: 9, deadline: .seconds(60)
    ).afterAttempt { failures.append(Self.sorted($0.error)) }
    let status = try await retry(policy, attemptTimeout: .milliseconds(300)) { _ in
      try await Self.fetch(server)
    }
    #expect(status == 200)
    #expect(failures.all == ["lost", "500", "timeout", "503", "none"])
    let arrivals = server.arrivals.all
    try #require(arrivals.count == 5)
    #expect(arrivals[2].duration(to: arrivals[3]) >= .milliseconds(300))
    #expect(arrivals[3].duration(to: arrivals[4]) >= .seconds(1), "as the server asked")
  }

  @Test("retry gives up on a server that stays down, within its deadline")
  func givesUp() async throws {
    let server = try LoopbackServer([], then: .status(503))
    defer { server.stop() }
    let ends = Recorder<GiveUp>()
    let policy = RetryPolicy(
      backoff: .constant(.milliseconds(20)), maximumAttempts: nil, deadline: .milliseconds(200),
      onGiveUp: { ends.append($0) })
    await #expect(throws: ServerFailure.self) {
      try await retry(policy) { _ in try await Self.fetch(server) }
    }
    #expect(ends.all.map(\.reason) == [.deadline])
    #expect(ends.all.map(\.attempts) == [server.arrivals.all.count])
    #expect(server.arrivals.all.count <= 10)
  }

  @Test("polling slows down while the server fails, obeys it, and comes back to its period")
  func polls() async throws {
    let server = try LoopbackServer(
      [.status(200), .status(500), .silence, .status(503, retryAfter: 1)], then: .status(200))
    defer { server.stop() }
    let schedule = PollSchedule(
      every: .milliseconds(50), jitter: .milliseconds(10),
      slowing: .exponential(from: .milliseconds(100)))
    let running = Counter()
    var outcomes = [String]()
    for await poll in schedule.results({
      #expect(running.add() == 1, "one at a time")
      defer { running.add(-1) }
      return try await withTimeout(.milliseconds(300)) { try await Self.fetch(server) }
    }).prefix(6) {
      if case .failure(let error) = poll.result {
        outcomes.append(Self.sorted(error))
      } else {
        outcomes.append("ok")
      }
    }
    #expect(outcomes == ["ok", "500", "timeout", "503", "ok", "ok"])
    let arrivals = server.arrivals.all
    try #require(arrivals.count == 6)
    let gaps = zip(arrivals, arrivals.dropFirst()).map { $0.duration(to: $1) }
    // From the first failure a delay, then the timeout and a delay, then what the server asked.
    #expect(gaps[1] >= .milliseconds(100))
    #expect(gaps[2] >= .milliseconds(500))
    #expect(gaps[3] >= .seconds(1))
    #expect(gaps[0] >= .milliseconds(30))
  }

  @Test("an attempt that is cancelled lets go of its connection")
  func cancelled() async throws {
    let server = try LoopbackServer([], then: .silence)
    defer { server.stop() }
    let task = Task {
      try await retry(RetryPolicy(backoff: .none)) { _ in try await Self.fetch(server) }
    }
    while server.arrivals.all.isEmpty { await Task.yield() }
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
  }
}
