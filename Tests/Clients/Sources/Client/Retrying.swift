import Dispatch
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

  func load(clock: any Clock<Duration>) async throws -> Int {
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
    maximumAttempts: 5, maximumDuration: .seconds(60),
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

  var delays = Backoff.exponential(from: .seconds(1)).jittered(.equal, seed: 7).delays()
  verify(delays.next().map { $0 >= .milliseconds(500) } ?? false, "a delay")
}

/// A class of the main actor that reconnects.
@MainActor
final class Connection {
  private(set) var attempts = [Int]()
  private var timer: RetryTimer?

  init(clock: any Clock<Duration>) {
    timer = RetryTimer(backoff: .exponential(from: .seconds(1)), clock: clock).handle(on: .main) {
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
  let timer = RetryTimer(backoff: .constant(.seconds(1)), clock: clock).handle(on: .shared) {
    attempt in
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

/// An error that brings its own advice.
struct Overloaded: RetryAdvising {
  var retryAdvice: RetryAdvice? { .retry(after: .milliseconds(1)).costing(2) }
}

func retryWithAdvice() async throws {
  let budget = RetryBudget(capacity: 10, cost: 5)
  let policy = RetryPolicy(backoff: .custom { _ in .zero })
    .sharing(budget).obeyingHints(atMost: .seconds(1))
    .advised { $0 is Overloaded ? nil : .retry }
    .resetting(afterHealthy: .seconds(60))
    .beforeAttempt { verify($0.number < 4, "no more than three") }
    .afterAttempt { verify($0.isSuccess == ($0.next == nil), "what follows") }
  let number = try await retry(
    policy, judging: { (number: Int) in number < 3 ? .retry : nil }
  ) { attempt in
    if attempt.number == 1 { throw Overloaded() }
    return attempt.number
  }
  verify(number == 3 && budget.available == 8, "the second retry gave its cost back")
  do {
    try await retry(RetryPolicy(backoff: .none)) { _ in throw PermanentError(FetchError.gone) }
  } catch {
    verify(error as? FetchError == .gone, "out of its wrapper")
  }
}

/// A class of the main actor that loads within a time.
@MainActor
final class Loader {
  final class Image {
    var size = 0
  }

  private var image = Image()

  func load() async throws -> Image {
    try await withTimeout(.seconds(60)) {
      image.size += 1
      await Task.yield()
      return image
    }
  }

  static func tryOut() async throws {
    let loader = Loader()
    let image = try await loader.load()
    verify(image === loader.image && image.size == 1, "on the main actor")
    let policy = RetryPolicy(backoff: .none, attemptTimeout: .seconds(60))
    let size = await retry(policy) { loader.image.size }
    verify(size == 1, "an attempt with a timeout")
    do {
      try await withDeadline(DispatchClock().now) { verify(false, "there is no time") }
    } catch {
      verify(error is TimeoutError, "too late")
    }
  }
}

func retryWithClosures() async {
  let result = await withCheckedContinuation { continuation in
    _ = retry(RetryPolicy(backoff: .none)) { attempt, finish in
      finish(attempt.number < 2 ? .failure(FetchError.busy) : .success(attempt.number))
    } completion: { (result: Result<Int, any Error>) in
      continuation.resume(returning: try? result.get())
    }
  }
  verify(result == 2, "two attempts")
  await withCheckedContinuation { continuation in
    let handle = retry(RetryPolicy(backoff: .none), on: .queue(.main)) { _, finish in
      MainActor.assumeIsolated { finish(.success(())) }
    } completion: { (_: Result<Void, any Error>) in
      continuation.resume()
    }
    withExtendedLifetime(handle) {}
  }
}

/// A class of the main actor that polls.
@MainActor
final class StatusPage {
  private(set) var seen = [Int]()
  private var poller: Poller<Int>?

  func appear(clock: any Clock<Duration>, then done: @escaping @MainActor () -> Void) {
    let schedule = PollSchedule(every: .seconds(5), slowing: .exponential(from: .seconds(10)))
    let poller = Poller(schedule, clock: clock) { 200 }
    poller.handle(with: self, on: .main) { page, poll in
      page.seen.append(poll.value ?? 0)
      done()
    }
    poller.start()
    self.poller = poller
  }

  static func tryOut() async {
    let (page, clock) = (StatusPage(), ManualClock())
    await withCheckedContinuation { continuation in
      page.appear(clock: clock) { continuation.resume() }
      clock.advance(by: .zero)
    }
    verify(page.seen == [200] && page.poller?.cancel() == true, "one poll")
  }
}

func pollAsStream() async {
  let bucket = TokenBucket(rate: .perSecond(1000), burst: 1)
  let schedule = PollSchedule(
    every: .milliseconds(2), jitter: .milliseconds(1), slowing: .constant(.milliseconds(1))
  ).limited(by: bucket).obeyingHints(atMost: .zero)
  for await poll in schedule.results({ "up" }) where poll.tick.index >= 2 {
    verify(poll.value == "up" && poll.failures == 0, "a poll")
    break
  }
}
