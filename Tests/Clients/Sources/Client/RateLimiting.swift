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
  verify(bucket.available == 0 && bucket.waiting == 0, "nothing left, nobody waits")

  async let turn: Void = bucket.acquire(2, within: .seconds(1))
  await clock.sleepers(atLeast: 1)
  clock.advance(by: .milliseconds(200))
  try await turn

  do {
    try await bucket.acquire(5, within: .milliseconds(1))
    verify(false, "this cannot be granted in time")
  } catch let error as AcquireError {
    verify(error == .deadline(neededWait: .milliseconds(500)), "refused at once: \(error)")
  }

  let settings = try Rate(validating: 5, per: .seconds(7))
  verify(settings == Rate(5, per: .seconds(7)), "a rate from a file")
  verify(throws: { () throws(ConfigurationError) in _ = try Rate(validating: 0, per: .zero) })
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
    _ = bucket.acquire(on: .main) { [weak self] result in
      if case .success = result { self?.taken += 1 }
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
  for await grant in bucket.ticks() where grant.index == 4 { break }
}
