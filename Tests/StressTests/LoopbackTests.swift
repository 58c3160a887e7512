import Pacing
import PacingTesting
import TestSupport
import Testing

/// Retries and polls in real time, over real sockets, against a misbehaving server.
@Suite(
  "Retrying against a server",
  .enabled(if: LoopbackServer.isReachable, "the loopback interface is down"))
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

  /// Whether the ends are a subsequence of the expected ones; timeouts are ignored, because on a
  /// busy machine any attempt may time out although the server answered it.
  private static func areInOrder(_ ends: [String], of expected: [String]) -> Bool {
    var left = expected[...]
    return ends.filter { $0 != "timeout" }.allSatisfy { end in
      while let next = left.popFirst() { if next == end { return true } }
      return false
    }
  }

  @Test("retry gets through failures, a hang, a Retry-After and a lost connection")
  func retries() async throws {
    let server = try LoopbackServer(
      [.hangUp, .status(500), .silence, .status(503, retryAfter: 1)], then: .status(200))
    defer { server.stop() }
    let clock = DispatchClock()
    let ends = EventRecorder<String>()
    // When the answer came, and when it came to an attempt that it ended: one may time out with it.
    let (answered, asked) = (Slot<PacingInstant>(), Slot<PacingInstant>())
    let policy = RetryPolicy(
      backoff: .exponential(from: .milliseconds(10)).capped(at: .milliseconds(50)),
      maximumAttempts: nil, attemptTimeout: .milliseconds(300)
    ).beforeAttempt { _ in
      if let instant = asked.put(nil) {
        #expect(instant.duration(to: clock.now) >= .seconds(1), "as the server asked")
      }
    }.afterAttempt { report in
      let end = Self.sorted(report.error)
      ends.record(end)
      let instant = answered.put(nil)
      if end == "503" { asked.put(instant) }
    }
    let status = try await retry(policy) { _ in
      defer { answered.put(clock.now) }
      return try await Self.fetch(server)
    }
    #expect(status == 200)
    #expect(ends.values.contains("timeout"))
    #expect(Self.areInOrder(ends.values, of: ["lost", "500", "503", "none"]), "\(ends.values)")
  }

  @Test("retry gives up on a server that stays down, within its deadline")
  func givesUp() async throws {
    let server = try LoopbackServer([], then: .status(503))
    defer { server.stop() }
    let ends = EventRecorder<GiveUp>()
    let policy = RetryPolicy(
      backoff: .constant(.milliseconds(20)), maximumAttempts: nil,
      maximumDuration: .milliseconds(200),
      onGiveUp: { ends.record($0) })
    await #expect(throws: ServerFailure.self) {
      try await retry(policy) { _ in try await Self.fetch(server) }
    }
    #expect(ends.values.map(\.reason) == [.deadline])
    #expect(ends.values.map(\.attempts) == [server.arrivals.values.count])
    #expect(server.arrivals.values.count <= 10)
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
    var polls = [PollResult<Int>]()
    for await poll in schedule.results({
      #expect(running.add() == 1, "one at a time")
      defer { running.add(-1) }
      return try await withTimeout(.milliseconds(300)) { try await Self.fetch(server) }
    }) {
      polls.append(poll)
      if case .failure(let error) = poll.result {
        outcomes.append(Self.sorted(error))
      } else {
        outcomes.append("ok")
      }
      if outcomes.count > 5, outcomes.suffix(2) == ["ok", "ok"] { break }
    }
    #expect(outcomes.contains("timeout"))
    let oks = Array(repeating: "ok", count: outcomes.count)
    #expect(Self.areInOrder(outcomes, of: ["ok", "500", "503"] + oks))
    for ((before, poll), next) in zip(zip(polls, polls.dropFirst()), polls.dropFirst(2)) {
      // After a failure the next poll waits for the backoff's delay, or as the server asked.
      guard before.failures + 1 == poll.failures, case .failure(let error) = poll.result else {
        continue
      }
      let least = (error as? ServerFailure)?.response.retryAfter ?? .milliseconds(100)
      #expect(poll.tick.actual.duration(to: next.tick.actual) >= least, "after \(error)")
    }
  }

  @Test("an attempt that is cancelled lets go of its connection")
  func cancelled() async throws {
    let server = try LoopbackServer([], then: .silence)
    defer { server.stop() }
    let task = Task {
      try await retry(RetryPolicy(backoff: .none)) { _ in try await Self.fetch(server) }
    }
    while server.arrivals.values.isEmpty { await Task.yield() }
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
  }
}
