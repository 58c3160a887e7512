import Dispatch
import Pacing
import Synchronization
import Testing

@Suite("README: tools")
struct Tools {
  private let transcript = Transcript()

  @Test("a debouncer")
  func debouncer() async {
    @Sendable func print(_ line: String) { transcript.print(line) }
    // snippet: debouncer
    let search = Debouncer<String>(for: .milliseconds(300), maximumWait: .seconds(2)) { query in
      print("search \(query)")
    }
    search.send("s")
    search.send("swift")
    search.flush()  // now; cancel() would withdraw the value and return it
    // end
    await transcript.line("search swift")
  }

  @Test("a throttler")
  func throttler() async {
    @Sendable func print(_ line: String) { transcript.print(line) }
    // snippet: throttler
    let progress = Throttler<Int>(every: .milliseconds(100)) { percent in
      print("\(percent) %")
    }
    for percent in 0...100 { progress.send(percent) }
    progress.finish()  // the last one is still shown, at its window's end
    // end
    await transcript.line("100 %")
    #expect(transcript.text.first == "0 %")
  }

  @Test("a token bucket")
  func bucket() async throws {
    let poll = { @Sendable in }
    // snippet: bucket
    let bucket = TokenBucket(rate: .perSecond(100), burst: 20)
    if bucket.tryAcquire() { poll() }  // now or not at all
    try await bucket.acquire(3, within: .seconds(1))  // in turn, or refused at once
    let decision = bucket.request(20)  // isAllowed, remaining, retryAfter, resetAfter
    for await grant in bucket.ticks() where grant.index == 2 { break }  // one token each
    // end
    #expect(decision.isAllowed || decision.retryAfter != nil)
  }

  @Test("timers")
  func timers() async {
    let poll = { @Sendable () async in }
    // snippet: timer
    let timer = DispatchTimer.scheduled(.every(.seconds(5), missed: .skip)) { tick in
      print("tick \(tick.index), late by \(tick.lateness)")
    }
    timer.cancel()  // and so does dropping it

    for await tick in DispatchTimer.ticks(.every(.milliseconds(100), first: .now)) {
      await poll()
      if tick.index >= 2 { break }
    }
    // end
    #expect(!timer.isValid)
  }

  @Test("retry")
  func retrying() async throws {
    let page = try await load()
    #expect(page == "page")
  }

  private func load() async throws -> String {
    func fetch(_ attempt: Attempt) async throws -> String {
      guard attempt.number > 1 else { throw Failure() }
      return "page"
    }
    // snippet: retry
    let policy = RetryPolicy(
      backoff: .exponential(from: .milliseconds(100)).capped(at: .seconds(20)).jittered(.full),
      maximumAttempts: 5)
    let page = try await retry(policy) { attempt in
      try await fetch(attempt)
    }
    // end
    return page
  }

  @Test("a retry timer")
  func retryTimer() async {
    @Sendable func print(_ line: String) { transcript.print(line) }
    // snippet: retry-timer
    let reconnect = RetryTimer(backoff: .exponential(from: .milliseconds(100))) { attempt in
      print("attempt \(attempt.number)")
    }
    reconnect.scheduleNext()  // on a failure: 100 ms from now, then 200, 400 …
    // end
    await transcript.line("attempt 1")
    #expect(!reconnect.isPending)
  }

  private struct Failure: Error {}
}
