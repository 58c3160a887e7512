import Dispatch
import Pacing
import PacingTesting
import Synchronization

func spendTokens() async throws {
  let clock = ManualClock()
  let bucket = TokenBucket(rate: .perSecond(10), burst: 5, clock: clock)
  verify(bucket.tryAcquire() && bucket.tryAcquire(4), "a full bucket")
  let refusal = bucket.request(2)
  verify(!refusal.isAllowed && refusal.retryAfter == .milliseconds(200), "a useful refusal")
  verify(bucket.peek().retryAfter == .milliseconds(100), "a look spends nothing")
  verify(bucket.available == 0 && bucket.waitingCount == 0, "nothing left, no waiters")

  async let turn = bucket.acquire(2, within: .seconds(1))
  await clock.sleepers(atLeast: 1)
  clock.advance(by: .milliseconds(200))
  _ = try await turn

  do {
    try await bucket.acquire(5, within: .milliseconds(1))
    verify(false, "this cannot be granted in time")
  } catch let error as AcquireError {
    verify(error == .deadline(neededWait: .milliseconds(500)), "refused at once: \(error)")
  }

  let settings = try Rate("5/7s")
  verify(settings == Rate(5, per: .seconds(7)), "a rate from a file")
  verify(throws: { () throws(ConfigurationError) in _ = try Rate("0/s") })
}

/// A configuration that cannot work throws its own type of error.
func verify(throws body: () throws(ConfigurationError) -> Void) {
  do {
    try body()
    verify(false, "this throws")
  } catch {
    verify(error.parameter == "count", error.description)
  }
}

func askForTokens() {
  let clock = ManualClock()
  let bucket = TokenBucket(rate: .perMinute(60), burst: 1, initial: 0, clock: clock)
  let granted = Mutex(0)
  let first = bucket.acquire { result in
    if case .success = result { granted.withLock { $0 += 1 } }
  }
  let queue = DispatchQueue(label: "client")
  let second = bucket.acquire(within: .seconds(60), on: .queue(queue)) { _ in
    verify(false, "this was withdrawn")
  }
  verify(second.cancel(), "it was withdrawn")
  clock.advance(by: .seconds(1))
  verify(granted.withLock { $0 } == 1 && !first.cancel(), "it was granted")
}

/// A class of the main actor that asks for tokens.
@MainActor
final class Meter {
  private var taken = 0

  func take(from bucket: TokenBucket) {
    bucket.acquire(on: .queue(.main)) { [weak self] result in
      MainActor.assumeIsolated {
        if case .success = result { self?.taken += 1 }
      }
    }
  }

  static func tryOut() async {
    let clock = ManualClock()
    let bucket = TokenBucket(rate: .perSecond(1), burst: 1, initial: 0, clock: clock)
    let meter = Meter()
    meter.take(from: bucket)
    clock.advance(by: .seconds(1))
    await clock.settle()
    verify(meter.taken == 1, "the main actor has its token")
  }
}

func takeTokensAsStream() async {
  let bucket = TokenBucket(rate: .every(.milliseconds(1)), burst: 2)
  for await _ in bucket.ticks().prefix(5) {}
}

func settleTokens() async throws {
  let clock = ManualClock()
  let bucket = TokenBucket(rate: .perSecond(1000), burst: 5000, clock: clock)
  let estimate = try await bucket.acquire(1000, within: .seconds(1))
  estimate.settle(3417)
  verify(estimate.instant == clock.now, "the instant from which it counts")
  verify(bucket.available == 5000 - 3417, "what was used is what counts")
  let late = bucket.acquire(5000) { _ in verify(false, "withdrawn") }
  verify(late.expectedWait == .milliseconds(3417), "it has its time")
  verify(late.cancel() && !late.cancel(), "it is given back, once")
  verify(bucket.take(upTo: 9999) == 5000 - 3417, "whatever there is")
}

func changeBucket() {
  let clock = ManualClock()
  let bucket = TokenBucket(
    rate: .perMinute(60), burst: 10, initial: 0,
    allowsOverdraft: true,
    queue: QueuePolicy(maximumWaiters: 100, newestFirst: true, whenFull: .makeRoom),
    clock: clock)
  bucket.reconfigure(rate: .none, burst: 20)
  bucket.reconfigure(burst: 5)
  bucket.reconfigure(rate: .unlimited)
  verify(bucket.tryAcquire(1_000_000), "there is no limit")
  bucket.reconfigure(rate: .perHour(1))
  bucket.reset()
  bucket.penalize(2)
  bucket.add(1)
  verify(bucket.drain() == 4, "what was left")
  bucket.pause(for: .seconds(60))
  bucket.pause(for: .seconds(30))
  verify(bucket.peek().retryAfter == .seconds(60), "the server said so")
  bucket.resume()
  bucket.reset()
  verify(bucket.statistics.granted == 1 && bucket.statistics.tokens == 1_000_000, "counted")
  bucket.close()
  verify(!bucket.tryAcquire(), "closed")
}

func limitSequencesAndFunctions() async throws {
  let bucket = TokenBucket(rate: .unlimited, burst: 1)
  let numbers = AsyncStream<Int> { continuation in
    for number in 1...3 { continuation.yield(number) }
    continuation.finish()
  }
  var sum = 0
  for await number in numbers.limited(by: bucket) { sum += number }
  verify(sum == 6, "all of them, in turn")
  let doubled = try await [1, 2, 3].concurrentMap(atMost: 2) { 2 * $0 }
  verify(doubled == [2, 4, 6], "in the order of the elements")
  let others = AsyncStream<Int> { continuation in
    for number in 1...3 { continuation.yield(number) }
    continuation.finish()
  }
  var halves = [Int]()
  for try await half in others.mapped(atMost: 2, inOrder: true, { $0 / 2 }) {
    halves.append(half)
  }
  verify(halves == [0, 1, 1], "by several operations at a time")
}
