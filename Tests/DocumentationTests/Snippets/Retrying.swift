import Dispatch
import Pacing
import PacingTesting
import Testing

private struct Response: Sendable {
  var status = 200
  var retryAfter: Duration? = nil
}

private struct Unauthorized: Error {}
private struct TransientError: Error {}

// snippet: retrying-advising
struct Unavailable: RetryAdvising {
  let delay: Duration
  var retryAdvice: RetryAdvice? { .retry(after: delay) }
}
// end

private struct Client: Sendable {
  func send(_ attempt: Attempt) async throws -> Response { Response() }
  func ping() async throws -> Response { Response() }
  func get(_ finish: @escaping @Sendable (Result<Int, any Error>) -> Void) { finish(.success(1)) }
}

@Suite("Retrying.md")
struct Retrying {
  private let client = Client()

  @Test("first")
  func first() async throws {
    let client = client
    // snippet: retrying-first
    let policy = RetryPolicy(
      backoff: .exponential(from: .milliseconds(100)).capped(at: .seconds(20)).jittered(.full),
      maximumAttempts: 5, maximumDuration: .seconds(60),
      retryIf: { $0 is TransientError },
      onGiveUp: { end in print("gave up: \(end.reason) after \(end.attempts) attempts") })
    let response = try await retry(policy) { attempt in
      try await client.send(attempt)
    }
    // end
    #expect(response.status == 200)
  }

  @Test("backoffs")
  func backoffs() {
    // snippet: retrying-backoffs
    let gentle = Backoff.linear(from: .seconds(1), by: .seconds(1)).capped(at: .seconds(30))
    let listed = Backoff.list([.seconds(1), .seconds(5), .seconds(30)])  // and then the end
    let spread = Backoff.constant(.seconds(5)).jittered(.proportional(0.2))
    let custom = Backoff.custom { retry in retry < 9 ? .milliseconds(50 * retry * retry) : nil }
    for delay in gentle.delays().prefix(3) { print(delay) }  // 1, 2 and 3 seconds
    // end
    #expect(Array(listed.delays().map(\.components.seconds)) == [1, 5, 30])
    #expect(spread.delays().prefix(9).allSatisfy { $0 >= .seconds(4) && $0 <= .seconds(6) })
    #expect(Array(custom.delays()).count == 8)
  }

  @Test("what is retried")
  func advice() async throws {
    let client = client
    let policy = RetryPolicy(backoff: .none)
    // snippet: retrying-judging
    let response = try await retry(
      policy,
      judging: { (response: Response) in
        switch response.status {
        case 429, 503: response.retryAfter.map { .retry(after: $0) } ?? .retry
        case 500...: .retry
        default: nil  // accepted
        }
      }
    ) { attempt in
      let response = try await client.send(attempt)
      guard response.status != 401 else { throw PermanentError(Unauthorized()) }
      return response
    }
    // end
    #expect(response.status == 200)
  }

  @Test("budgets, health, hooks")
  func options() async {
    let backoff = Backoff.none
    // snippet: retrying-budget
    let budget = RetryBudget(capacity: 500, cost: 5)  // one for the whole service
    let reads = RetryPolicy(backoff: backoff).sharing(budget)
    let writes = RetryPolicy(backoff: backoff, maximumAttempts: 2).sharing(budget)
    // end
    _ = (reads, writes)
    // snippet: retrying-hooks
    let policy = RetryPolicy(backoff: backoff, maximumAttempts: nil)
      .resetting(afterHealthy: .seconds(60))
      .afterAttempt { report in
        guard let next = report.next else { return }
        print("attempt \(report.attempt.number) failed, the next one in \(next.delay)")
      }
    // end
    #expect(policy.maximumAttempts == nil)
  }

  @Test("time limits")
  func timeouts() async throws {
    let client = client
    let clock = ManualClock()
    // snippet: retrying-timeout
    let one = try await withTimeout(.seconds(60), clock: clock) {
      try await client.ping()
    }
    let policy = RetryPolicy(backoff: .none, attemptTimeout: .seconds(2))
    let each = try await retry(policy, clock: clock) { attempt in
      try await client.send(attempt)
    }
    // end
    #expect(one.status == each.status)
  }

  @Test("a sequence that begins again")
  func sequence() async throws {
    struct Feed: Sendable {
      func events() async throws -> AsyncStream<Int> { AsyncStream { $0.finish() } }
    }
    let (client, policy) = (Feed(), RetryPolicy(backoff: .none))
    func show(_ event: Int) {}
    for try await event in retrying(policy, { try await client.events() }) {
      show(event)
    }
  }

  @Test("closures")
  func closures() async {
    let client = client
    let queue = DispatchQueue(label: "network")
    let policy = RetryPolicy(backoff: .none)
    await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
      func show(_ result: Result<Int, any Error>) { continuation.resume() }
      let show = { @Sendable (_: Result<Int, any Error>) in continuation.resume() }
      // snippet: retrying-closures
      let task = retry(policy, on: .queue(queue)) { attempt, finish in
        client.get { result in finish(result) }
      } completion: { result in
        show(result)
      }
      // end
      _ = task  // task.cancel()
    }
  }

  @Test("RetryTimer")
  func timer() {
    // snippet: retrying-timer
    let reconnect = RetryTimer(
      backoff: .exponential(from: .seconds(1)).capped(at: .seconds(60)).jittered(.equal),
      healthyPeriod: .seconds(60)
    ) { attempt in
      print("attempt \(attempt.number)")
    }
    reconnect.scheduleNext()  // on a failure; twice for one failure is once
    reconnect.scheduleNext(after: .seconds(30))  // if the server stated a delay
    reconnect.succeeded()  // restarts the backoff, as a healthy minute does
    reconnect.attemptNow()  // the network is back: no reason to wait longer
    reconnect.cancel()
    // end
    #expect(!reconnect.isPending)
  }

  @Test("polling")
  func polling() async {
    @Sendable func fetchStatus() async throws -> Int { 200 }
    let show = { @Sendable (_: Result<Int, any Error>) in }
    let status = PollSchedule(every: .seconds(5))
    // snippet: retrying-poll
    let schedule = PollSchedule(
      every: .seconds(5), jitter: .milliseconds(500),
      slowing: .exponential(from: .seconds(10)).capped(at: .seconds(300)))
    for await poll in schedule.results({ try await fetchStatus() }) {
      show(poll.result)
      if poll.failures == 0 { break }
    }
    // end
    // snippet: retrying-poller
    let poller = Poller(status) { try await fetchStatus() }.handle { poll in
      show(poll.result)
    }
    poller.start()
    poller.pollNow()  // in addition to the grid; a server's hint still holds
    poller.suspend()  // the app goes to the background
    poller.resume(pollingNow: true)
    poller.reschedule(every: .seconds(30))
    if let end = poller.end { print("no more polls: \(end)") }
    await poller.cancelAndWait()
    // end
    #expect(poller.end != nil)
  }
}
