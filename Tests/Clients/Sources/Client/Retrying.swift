import Pacing
import PacingTesting

enum FetchError: Error {
  case busy
  case gone
}

/// An actor that retries with a body of its own isolation and a result that is not Sendable.
actor Feed {
  final class Page {
    var lines: [String]

    init(lines: [String]) {
      self.lines = lines
    }
  }

  private var pages = [Page]()
  private var failures = 2

  func load(clock: some PacingClock) async throws -> Int {
    let header = Page(lines: ["header"])
    let page = try await retry(RetryPolicy(backoff: .constant(.seconds(1))), clock: clock) { _ in
      header.lines.append("attempt")
      return try self.fetch(after: header)
    }
    pages.append(page)
    return page.lines.count
  }

  private func fetch(after header: Page) throws(FetchError) -> Page {
    guard failures == 0 else {
      failures -= 1
      throw .busy
    }
    return header
  }

  static func tryOut() async throws {
    let clock = ManualClock()
    let feed = Feed()
    async let lines = feed.load(clock: clock)
    for _ in 0..<2 {
      await clock.sleepers(atLeast: 1)
      clock.advance(by: .seconds(1))
    }
    let count = try await lines
    verify(count == 4, "three attempts")
  }
}

func retryByPolicy() async throws {
  let policy = RetryPolicy(
    backoff: .exponential(from: .microseconds(10)).capped(at: .milliseconds(1)).jittered(.full),
    maximumAttempts: 5, deadline: .seconds(60),
    retryIf: { ($0 as? FetchError) == .busy },
    onGiveUp: { verify($0.reason == .permanent && $0.attempts == 3, "why it ended") })
  var tried = 0
  do throws(FetchError) {
    try await retry(policy) { attempt async throws(FetchError) in
      tried = attempt.number
      throw attempt.number < 3 ? FetchError.busy : .gone
    }
  } catch {
    verify(error == .gone && tried == 3, "a failure that is not retried")
  }

  for await attempt in policy.attempts() where attempt.number == 2 { break }
  var delays = Backoff.exponential(from: .seconds(1)).jittered(.equal, seed: 7).delays()
  verify(delays.next().map { $0 >= .milliseconds(500) } ?? false, "a delay")
}

/// A class of the main actor that reconnects.
@MainActor
final class Connection {
  private(set) var attempts = [Int]()
  private var timer: RetryTimer?

  init(clock: some PacingClock) {
    timer = RetryTimer(backoff: .exponential(from: .seconds(1)), on: .main, clock: clock) {
      [weak self] attempt in self?.connect(attempt)
    }
  }

  private func connect(_ attempt: Attempt) {
    attempts.append(attempt.number)
  }

  static func tryOut() async {
    let clock = ManualClock()
    let connection = Connection(clock: clock)
    for _ in 0..<2 {
      connection.timer?.scheduleNext()
      clock.advance(by: .seconds(2))
      await clock.settle()
    }
    connection.timer?.succeeded()
    verify(connection.attempts == [1, 2], "two attempts on the main actor")
  }
}

func reconnectOnQueues() async {
  let clock = ManualClock()
  let timer = RetryTimer(backoff: .constant(.seconds(1)), on: .shared, clock: clock) { attempt in
    verify(attempt.number == 1 && attempt.delay == .seconds(1), "the first attempt")
  }
  verify(timer.scheduleNext()?.number == 1, "an attempt is waited for")
  verify(timer.scheduleNext() == nil && timer.isPending, "one at a time")
  clock.advance(by: .seconds(1))
  timer.scheduleNext()
  verify(timer.cancel(), "it was withdrawn")
  timer.scheduleNext()
  verify(timer.reset() && !timer.isPending, "so was this")
}

func reconnectAsStream() async {
  let timer = RetryTimer(backoff: .none)
  var attempts = timer.ticks().makeAsyncIterator()
  timer.scheduleNext()
  let attempt = await attempts.next()
  verify(attempt?.number == 1, "the first attempt")
}
