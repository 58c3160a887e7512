import Pacing
import PacingTesting
import Testing

@Suite("FromRetryLoops.md")
struct RetryLoops {
  struct Page: Sendable { var text = "page" }
  struct Busy: Error {}

  func fetch() async throws -> Page { Page() }
  func fetchIndex() async throws -> Page { Page() }
  func fetchAll(_ index: Page) async throws -> [Page] { [index] }

  // snippet: loops-hand-before
  func pageByHand() async throws -> Page {
    var (attempt, delay) = (1, Duration.milliseconds(100))
    while true {
      do {
        return try await fetch()
      } catch {
        if attempt == 5 { throw error }
        try await Task.sleep(for: delay)  // all clients at once, and past every deadline
        (attempt, delay) = (attempt + 1, delay * 2)
      }
    }
  }
  // end

  @Test("a loop by hand")
  func hand() async throws {
    // snippet: loops-hand-after
    let policy = RetryPolicy(
      backoff: .exponential(from: .milliseconds(100)).jittered(.full), maximumAttempts: 5)
    let page = try await retry(policy) { try await fetch() }
    // end
    #expect(page.text == "page")
    #expect(try await pageByHand().text == "page")
  }

  @Test("swift-retry")
  func swiftRetry() async throws {
    // snippet: loops-swift-retry
    // try await retry(maxAttempts: 5, backoff: .default(baseDelay: .seconds(1),
    //   maxDelay: .seconds(20))) { try await fetch() }
    //   recoverFromFailure: { error in error is Busy ? .retry : .throw }
    let policy = RetryPolicy(
      backoff: .exponential(from: .seconds(1)).capped(at: .seconds(20)).jittered(.full),
      maximumAttempts: 5, retryIf: { $0 is Busy })
    let page = try await retry(policy) { try await fetch() }
    // end
    #expect(page.text == "page")
  }

  // snippet: loops-race-before
  func pageInTime() async throws -> Page {
    try await withThrowingTaskGroup(of: Page.self) { group in
      group.addTask { try await fetch() }  // leaves the caller's actor; all is Sendable
      group.addTask {
        try await Task.sleep(for: .seconds(5))  // a timer for each call
        throw Busy()
      }
      defer { group.cancelAll() }
      return try await group.next()!
    }
  }
  // end

  @Test("a race against a sleep")
  func race() async throws {
    // snippet: loops-race-after
    let page = try await withTimeout(.seconds(5)) { try await fetch() }
    // end
    #expect(page.text == "page")
    #expect(try await pageInTime().text == "page")
  }

  @Test("SE-0526")
  func deadlines() async throws {
    let policy = RetryPolicy(backoff: .none)
    let bucket = TokenBucket(rate: .perSecond(10), burst: 1)
    // snippet: loops-deadline
    // let deadline = ContinuousClock.now + .seconds(5)
    // let index = try await withDeadline(deadline) { try await fetchIndex() }
    // let pages = try await withDeadline(deadline) { try await fetchAll(index) }
    let deadline = DispatchClock().now.advanced(by: .seconds(5))
    let index = try await withDeadline(deadline) { try await fetchIndex() }
    let pages = try await withDeadline(deadline) {
      try await bucket.acquire()  // refused at once if its turn would come too late
      return try await retry(policy) { try await fetchAll(index) }  // and so is a wait
    }
    // end
    #expect(pages.count == 1)
  }

  @Test("a loop that polls")
  func poll() async {
    let clock = ManualClock()
    let shown = EventRecorder<String>()
    let show = { @Sendable (page: Page?) in shown.record(page?.text ?? "none") }
    // snippet: loops-poll-after
    let schedule = PollSchedule(
      every: .seconds(5), slowing: .exponential(from: .seconds(10)).capped(at: .seconds(300)))
    let poller = Poller(schedule, clock: clock) { try await fetch() }.handle { show($0.value) }
    poller.start()
    // end
    clock.advance(by: .seconds(5))
    #expect(shown.values == ["page", "page"])
    poller.cancel()
    clock.runReady()
  }
}
