import Observation
import Pacing
import PacingTesting
import Testing

// snippet: from-combine-tca
/// Part of a feature's dependencies; its clock is `@Dependency(\.continuousClock)`.
struct Search: Sendable {
  private let typing: Debouncer<String>
  private let find: @Sendable (String) async -> [String]

  init(clock: any Clock<Duration>, find: @escaping @Sendable (String) async -> [String]) {
    typing = Debouncer(for: .milliseconds(300), clock: clock)
    self.find = find
  }

  // case .queryChanged(let query): search.changed(query); return .none
  func changed(_ query: String) { typing.send(query) }

  // case .task: return .run { send in await search.run { await send(.found($0)) } }
  func run(_ send: @Sendable ([String]) async -> Void) async {
    for await query in typing.ticks() { await send(await find(query)) }
  }
}
// end

// snippet: from-combine-tca-test
@Test("sends one action, 300 ms after the last key")
func effect() {
  let clock = ManualClock(step: .milliseconds(100))
  let actions = EventRecorder<String>(clock: clock)
  let search = Search(clock: clock) { [$0] }
  clock.run { await search.run { actions.record($0[0]) } }
  clock.play("a-b-----c---") { key in search.changed(String(key)) }
  #expect(actions.marbles { $0.first! } == "-----b-----c")
}
// end

@MainActor @Observable
final class ObservedModel {
  var query = ""
  var hits = [String]()
}

/// It waits for a value, and not for a time: the sequence reads the model when it comes to it.
@available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *)
@Test("a loop over a property of a model") @MainActor
func observations() async {
  let model = ObservedModel()
  model.query = "swift"
  func find(_ query: String) async -> [String] { [query] }
  func search() async {
    // snippet: from-combine-observations
    for await query in Observations({ model.query }).debounced(for: .milliseconds(300)) {
      model.hits = await find(query)
    }
    // end
  }
  let searching = Task { await search() }
  while model.hits != ["swift"] {
    await withCheckedContinuation { next in
      withObservationTracking {
        _ = model.hits
      } onChange: {
        next.resume()
      }
    }
  }
  searching.cancel()
  await searching.value
}

@Suite("Migrating")
struct MigratingSnippets {
  private let clock = ManualClock()

  @Test("operators in place of AsyncAlgorithms")
  func algorithms() {
    let clock = clock
    let texts = AsyncStream<String> { $0.finish() }
    let rows = AsyncStream<Int> { $0.finish() }
    // texts.debounce(for: .milliseconds(300))
    let queries = texts.debounced(for: .milliseconds(300))
    // texts._throttle(for: .milliseconds(100))
    let progress = texts.throttled(every: .milliseconds(100))
    // rows.chunks(ofCount: 500, or: .repeating(every: .seconds(1)))
    let groups = rows.batched(maximumCount: 500, maximumDelay: .seconds(1))
    // AsyncTimerSequence(interval: .seconds(1), clock: clock)
    let ticks = DispatchTimer.ticks(every: .seconds(1), clock: clock)
    _ = (queries, progress, groups, ticks)
  }

  @Test("lodash and rxjs")
  func javascript() {
    let clock = clock
    let scrolls = AsyncStream<Int> { $0.finish() }
    let (found, saved) = (EventRecorder<String>(clock: clock), EventRecorder<String>(clock: clock))
    let (find, save) = (found.record, saved.record)
    // const search = debounce(find, 300, { maxWait: 1000 })
    let search = Debouncer<String>(
      for: .milliseconds(300), maximumWait: .seconds(1), clock: clock
    ) { text in find(text) }
    // const saveSoon = throttle(save, 1000)
    let saveSoon = Throttler<String>(every: .seconds(1), clock: clock) { text in save(text) }
    // scrolls.pipe(throttleTime(100, undefined, { leading: true, trailing: true }))
    let positions = scrolls.throttled(every: .milliseconds(100))
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
  }

  @Test("retries of servers")
  func retries() async throws {
    let clock = clock
    func fetch() async throws -> String { "page" }
    // new RetryStrategyOptions { MaxRetryAttempts = 3, Delay = 200 ms, UseJitter = true,
    //   BackoffType = DelayBackoffType.Exponential }; then AddTimeout(1 s)
    let policy = RetryPolicy(
      backoff: .exponential(from: .milliseconds(200)).jittered(.full), maximumAttempts: 4,
      attemptTimeout: .seconds(1))
    let page = try await retry(policy, clock: clock) { try await fetch() }
    #expect(page == "page")
  }

}
