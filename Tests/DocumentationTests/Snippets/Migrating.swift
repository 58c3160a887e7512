import Observation
import Pacing
import PacingTesting
import Testing

// snippet: from-combine-model
@MainActor @Observable
final class QueryModel {
  var query = "" { didSet { if query != oldValue { typing.send(query) } } }
  private(set) var hits = [String]()
  private let typing: Debouncer<String>

  init(clock: any Clock<Duration> = .dispatch, find: @escaping @Sendable (String) async -> [String])
  {
    typing = Debouncer(for: .milliseconds(300), clock: clock)
    typing.handle(with: self, on: .main, overlap: .cancelPrevious) { model, query in
      let found = await find(query)
      if !Task.isCancelled { model.hits = found }
    }
  }
}
// end

// snippet: from-combine-test
@Test("shows the hits of the last query, 300 ms after it")
@MainActor
func hits() async {
  let clock = ManualClock()
  let model = QueryModel(clock: clock) { query in ["\(query)!"] }
  for text in ["s", "sw", "swift"] { model.query = text }
  clock.advance(by: .milliseconds(300))
  await clock.settle()
  #expect(model.hits == ["swift!"])
}
// end

// snippet: from-algorithms-test
@Test("searches once typing has paused")
func pauses() {
  let clock = ManualClock(step: .milliseconds(100))
  let (keys, keyboard) = AsyncStream.makeStream(of: Character.self)
  let queries = EventRecorder<Character>(clock: clock)
  clock.run {
    await queries.record(from: keys.debounced(for: .milliseconds(300), clock: clock))
  }
  clock.play("a-b---------c-----", into: keyboard)
  #expect(queries.marbles == "-----b---------c--")
}
// end

@Suite("Migrating")
struct MigratingSnippets {
  private let clock = ManualClock()

  @Test("a limit in a view model")
  func combineLimit() {
    var refused = 0
    func upload() {}
    func showBusy() { refused += 1 }
    let clock = clock
    // snippet: from-combine-limit
    let uploads = TokenBucket(rate: .perSecond(5), burst: 10, clock: clock)
    if uploads.tryAcquire() { upload() } else { showBusy() }
    // end
    for _ in 1...10 where !uploads.tryAcquire() { showBusy() }
    #expect(refused == 1)
  }

  @Test("operators in place of AsyncAlgorithms")
  func algorithms() {
    let clock = clock
    let texts = AsyncStream<String> { $0.finish() }
    let rows = AsyncStream<Int> { $0.finish() }
    // snippet: from-algorithms
    // texts.debounce(for: .milliseconds(300))
    let queries = texts.debounced(for: .milliseconds(300))
    // texts._throttle(for: .milliseconds(100))
    let progress = texts.throttled(every: .milliseconds(100))
    // rows.chunks(ofCount: 500, or: .repeating(every: .seconds(1)))
    let groups = rows.batched(maximumCount: 500, maximumDelay: .seconds(1))
    // AsyncTimerSequence(interval: .seconds(1), clock: clock)
    let ticks = DispatchTimer.ticks(every: .seconds(1), clock: clock)
    // end
    _ = (queries, progress, groups, ticks)
  }

  @Test("lodash and rxjs")
  func javascript() {
    let clock = clock
    let scrolls = AsyncStream<Int> { $0.finish() }
    let (found, saved) = (EventRecorder<String>(clock: clock), EventRecorder<String>(clock: clock))
    let (find, save) = (found.record, saved.record)
    // snippet: from-javascript
    // const search = debounce(find, 300, { maxWait: 1000 })
    let search = Debouncer<String>(
      for: .milliseconds(300), maximumWait: .seconds(1), clock: clock
    ) { text in find(text) }
    // const saveSoon = throttle(save, 1000)
    let saveSoon = Throttler<String>(every: .seconds(1), clock: clock) { text in save(text) }
    // scrolls.pipe(throttleTime(100, undefined, { leading: true, trailing: true }))
    let positions = scrolls.throttled(every: .milliseconds(100))
    // end
    for text in ["a", "b"] {
      search.send(text)
      saveSoon.send(text)
    }
    clock.advance(by: .seconds(1))
    #expect(found.values == ["b"] && saved.values == ["a", "b"])
    _ = positions
  }

  @Test("limits of servers")
  func limits() async throws {
    func respond(_ status: Int) {}
    func answer() {}
    @Sendable func begin(_ result: Result<Charge, AcquireError>) {}
    let clock = clock
    // snippet: from-go
    // limiter := rate.NewLimiter(10, 20)
    let limiter = TokenBucket(rate: .perSecond(10), burst: 20, clock: clock)
    // if !limiter.Allow() { w.WriteHeader(429) } else { answer() }
    if !limiter.tryAcquire() { respond(429) } else { answer() }
    // ctx, _ := context.WithTimeout(ctx, time.Second); err := limiter.WaitN(ctx, 3)
    try await limiter.acquire(3, within: .seconds(1))
    // r := limiter.ReserveN(time.Now(), 5); if r.Delay() > time.Second { r.Cancel() }
    let place = limiter.acquire(5) { result in begin(result) }
    if place.expectedWait ?? .zero > .seconds(1) { place.cancel() }
    // end
    #expect(limiter.available == 11)
    // snippet: from-guava
    // RateLimiter writes = RateLimiter.create(5.0); writes.tryAcquire(3, 1, SECONDS)
    let writes = TokenBucket(
      rate: .perSecond(5), burst: 5, initial: 0, overdraft: .nextPays, clock: clock)
    // end
    #expect(writes.tryAcquire(3) == writes.tryAcquire(3) || writes.available < 0)
    // snippet: from-bucket4j
    // Bucket.builder().addLimit(simple(10, ofSeconds(1))).addLimit(simple(1000, ofHours(1)))
    let bucket = RateLimiter(
      .tokenBucket(rate: .perSecond(10), burst: 10),
      .tokenBucket(rate: .perHour(1000), burst: 1000), clock: clock)
    // ConsumptionProbe probe = bucket.tryConsumeAndReturnRemaining(1)
    let probe = bucket.request()
    // end
    #expect(probe.isAllowed)
  }

  @Test("retries of servers")
  func retries() async throws {
    let clock = clock
    func fetch() async throws -> String { "page" }
    // snippet: from-polly
    // new RetryStrategyOptions { MaxRetryAttempts = 3, Delay = 200 ms, UseJitter = true,
    //   BackoffType = DelayBackoffType.Exponential }; then AddTimeout(1 s)
    let policy = RetryPolicy(
      backoff: .exponential(from: .milliseconds(200)).jittered(.full), maximumAttempts: 4,
      attemptTimeout: .seconds(1))
    let page = try await retry(policy, clock: clock) { try await fetch() }
    // end
    #expect(page == "page")
    // snippet: from-tenacity
    // @retry(wait=wait_random_exponential(max=60), stop=stop_after_attempt(5),
    //        retry=retry_if_exception_type(OSError))
    let patient = RetryPolicy(
      backoff: .exponential(from: .seconds(1)).capped(at: .seconds(60)).jittered(.full),
      maximumAttempts: 5, retryIf: { $0 is Unavailable })
    // end
    #expect(patient.settings.maximumAttempts == 5)
  }

  private struct Unavailable: Error {}
}
