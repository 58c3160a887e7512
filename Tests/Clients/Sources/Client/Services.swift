import Pacing
import PacingTesting

/// An actor that keeps its clock, and makes tools with it wherever tools are made.
actor Indexer {
  private let clock: any Clock<Duration>
  private let spare: (any Clock<Duration>)?
  private let budget: TokenBucket
  private lazy var typed: Debouncer<Int> = .init(for: .seconds(1), clock: clock)
    .handle(in: self) { indexer, value in indexer.add(value) }
  private lazy var made: Throttler<Int> = {
    Throttler(every: .seconds(1), clock: clock).handle(in: self) { $0.add($1) }
  }()
  private lazy var timer = DispatchTimer(.every(.seconds(1)), clock: clock).handle(in: self) {
    indexer, tick in indexer.add(tick.index)
  }
  private(set) var values = [Int]()

  init(clock: any Clock<Duration> = .dispatch, spare: (any Clock<Duration>)? = nil) {
    self.clock = clock
    self.spare = spare
    budget = TokenBucket(rate: .perSecond(1), burst: 1, clock: clock)
  }

  private func add(_ value: Int) { values.append(value) }

  func start() {
    typed.send(1)
    made.send(2)
    timer.start()
  }

  func stop() { timer.cancel() }

  /// A clock that is chosen where it is used.
  func chosen(_ other: some Clock<Duration>) -> [TokenBucket] {
    [
      TokenBucket(rate: .perSecond(1), burst: 1, clock: spare ?? clock),
      TokenBucket(rate: .perSecond(1), burst: 1, clock: spare == nil ? clock : other),
    ] + [1, 2].map { TokenBucket(rate: .perSecond(1), burst: $0, clock: clock) }
  }

  func load() async throws -> Int {
    try await withTimeout(.seconds(60), clock: clock) {
      await retry(RetryPolicy(backoff: .none), clock: clock) { attempt in attempt.number }
    }
  }
}

/// A struct whose tools are made as they are asked for.
struct Endpoints {
  let clock: any Clock<Duration>
  lazy var limits = KeyedRateLimiter<String>(
    rate: .perSecond(1), burst: 1, maximumKeys: 10, clock: clock)
  var window: RateLimiter { .init(.slidingWindow(1, per: .seconds(1)), clock: clock) }

  func ticks() -> some AsyncSequence<Tick, Never> {
    DispatchTimer.ticks(every: .seconds(1), clock: clock)
  }
}

/// A class of the main actor with tools that refer to it.
@MainActor
final class Inbox {
  private let clock: any Clock<Duration>
  private lazy var batches = Batcher<Int>(maximumCount: 2, maximumDelay: .seconds(1), clock: clock)
    .handle(on: .main) { [weak self] batch in self?.sizes.append(batch.count) }
  private(set) var sizes = [Int]()

  init(clock: any Clock<Duration> = .dispatch) {
    self.clock = clock
  }

  static func tryOut() async {
    let clock = ManualClock()
    let inbox = Inbox(clock: clock)
    for value in 1...2 { inbox.batches.send(value) }
    await clock.settle()
    verify(inbox.sizes == [2], "a full batch, on the main actor")
  }
}

func serveWithClocks() async throws {
  let clock = ManualClock()
  let indexer = Indexer(clock: clock)
  await indexer.start()
  await clock.settle()
  clock.advance(by: .seconds(1))
  await clock.settle()
  await indexer.stop()
  let values = await indexer.values
  verify(values.sorted() == [0, 1, 2], "what the actor's tools have delivered")
  verify(await indexer.chosen(clock).count == 4, "each with a clock that was kept")
  verify(try await indexer.load() == 1, "the first attempt")

  var endpoints = Endpoints(clock: clock)
  verify(endpoints.limits.tryAcquire(for: "ann"), "one at once")
  verify(endpoints.window.tryAcquire(), "one in a window")
  _ = endpoints.ticks()

  let inserted = EventRecorder<Int>(clock: clock)
  let inserts = Batcher<Int>(maximumCount: 2, maximumDelay: .seconds(1), clock: clock).handle {
    batch in
    await Task.yield()
    inserted.record(batch.count)
  }
  for value in 1...2 { inserts.send(value) }
  verify(await inserted.values(atLeast: 1) == [2], "a full batch, asynchronously")
}

/// Limits whose numbers come from a file.
func limitByFile() throws {
  let rate = try Rate("5/s")
  _ = TokenBucket(rate: rate, burst: 10)
  _ = RateLimiter(.tokenBucket(rate: rate, burst: 10))
  _ = KeyedRateLimiter<String>(rate: rate, burst: 10, maximumKeys: 100)
}
