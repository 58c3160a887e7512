import Pacing
import PacingTesting
import TestSupport
import Testing

@Suite("Hostile calls of limits and retries")
struct HostileLimitTests {
  private let clock = ManualClock()

  private func cost(_ random: inout SplitMix64) -> Int { max(0, random.count()) }

  private func rate(_ random: inout SplitMix64) -> Rate {
    (try? Rate(checking: random.count(), per: random.duration()))
      ?? random.one(of: [.none, .unlimited])
  }

  private func bucket(_ random: inout SplitMix64) -> TokenBucket {
    let burst = max(1, random.count())
    let queue = QueuePolicy(
      maximumWaiters: random.maybe(cost(&random)),
      newestFirst: random.one(of: [false, true]),
      whenFull: random.one(of: [.refuse, .makeRoom]))
    return TokenBucket(
      rate: rate(&random), burst: burst, initial: random.maybe(min(burst, cost(&random))),
      allowsOverdraft: random.one(of: [false, true]), queue: queue, clock: clock)
  }

  @Test("no bucket traps, hangs or answers with a negative wait", arguments: Soak.seeds(400))
  func buckets(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    let bucket = bucket(&random)
    let charges = Locked([Charge]())
    for _ in 0..<40 {
      let cost = cost(&random)
      switch Int.random(in: 0..<18, using: &random) {
      case 0, 1: _ = bucket.tryAcquire(cost)
      case 2: expectSense(bucket.request(cost), seed)
      case 3: expectSense(bucket.peek(cost), seed)
      case 4: #expect(bucket.take(upTo: cost) <= cost, "seed \(seed)")
      case 5, 6:
        let handle = bucket.acquire(Costs(cost), within: random.maybe(random.duration())) {
          result in
          if case .success(let charge) = result { charges.withLock { $0.append(charge) } }
        }
        #expect(handle.expectedWait ?? .zero >= .zero, "seed \(seed)")
      case 7: charges.withLock { $0.popLast() }?.cancel()
      case 8: charges.withLock { $0.popLast() }?.settle(cost)
      case 9: bucket.add(cost)
      case 10: bucket.penalize(cost)
      case 11: #expect(bucket.drain() >= 0, "seed \(seed)")
      case 12, 13: bucket.pause(for: random.duration())
      case 14:
        bucket.reconfigure(
          rate: rate(&random), burst: random.maybe(max(1, random.count())))
      case 15: Bool.random(using: &random) ? bucket.resume() : bucket.reset()
      case 16: _ = bucket.acquire(Costs(cost), within: random.maybe(random.duration())) { _ in }
      default: clock.lapse(by: random.duration())
      }
      clock.advance(by: .zero)
      _ = (bucket.available, bucket.waitingCount)
    }
    bucket.close()
    clock.advance(by: .zero)
    #expect(clock.pendingCount == 0, "seed \(seed)")
  }

  private func expectSense(_ decision: Decision, _ seed: UInt64) {
    #expect(decision.resetAfter >= .zero, "seed \(seed)")
    if decision.isAllowed {
      #expect(decision.retryAfter ?? .zero == .zero, "seed \(seed)")
    } else if let retryAfter = decision.retryAfter {
      #expect(retryAfter > .zero, "seed \(seed)")
    }
  }

  @Test("no limiter of several limits does, keyed or not", arguments: Soak.seeds(300))
  func limiters(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    let burst = max(1, random.count())
    let window = max(.nanoseconds(1), random.duration())
    let limits = [
      Limit.tokenBucket(
        rate: rate(&random), burst: burst, initial: random.maybe(min(burst, cost(&random)))),
      .fixedWindow(max(1, random.count()), per: window),
      .slidingWindow(max(1, random.count()), per: window).named("sliding"),
    ].filter { _ in Bool.random(using: &random) }
    let limiter = limits.isEmpty ? nil : RateLimiter(limits, clock: clock)
    let quota = try? Quota(checking: rate(&random), burst: random.count())
    let keys = KeyedRateLimiter<Int>(
      maximumKeys: random.one(of: [1, 2, 100, Int.max]),
      whenFull: random.one(of: [.makeRoom, .refuse]), clock: clock
    ) { _ in quota ?? Quota(rate: .perSecond(1), burst: 1) }
    for _ in 0..<40 {
      let cost = cost(&random)
      switch Int.random(in: 0..<12, using: &random) {
      case 0: _ = (limiter?.tryAcquire(cost), keys.tryAcquire(cost, for: random.count()))
      case 1, 2:
        limiter.map { expectSense($0.request(cost), seed) }
        expectSense(keys.request(cost, for: random.count()), seed)
      case 3: _ = (limiter?.take(upTo: min(cost, 1_000)), keys.request(cost, for: [1, 2, .max]))
      case 4: limiter?.pause(for: random.duration())
      case 5: _ = limiter?.acquire(Costs(cost), within: random.maybe(random.duration())) { _ in }
      case 6: Bool.random(using: &random) ? limiter?.resume() : limiter?.reset()
      case 7: limiter?.penalize(cost)
      case 8: limiter?.add(cost)
      case 9: #expect(limiter?.drain() ?? 0 >= 0, "seed \(seed)")
      case 10:
        limiter?.requestEach(Costs(cost)).forEach { expectSense($0, seed) }
        if limits.count > 1 { limiter?.reconfigure(Array(limits.dropFirst())) }
      default: clock.lapse(by: random.duration())
      }
      clock.advance(by: .zero)
    }
    limiter?.close()
    clock.advance(by: .zero)
    #expect(clock.pendingCount == 0, "seed \(seed)")
  }

  private func backoff(_ random: inout SplitMix64) -> Backoff {
    let (base, more) = (random.duration(), random.duration())
    var backoff: Backoff? =
      switch Int.random(in: 0..<4, using: &random) {
      case 0: try? .checked(linear: base, by: more)
      case 1: .list([base, more, base])
      case 2: .custom { _ in base }
      default: try? .checked(exponential: base, factor: random.factor())
      }
    let jitter = (try? Jitter.checked(random.factor())) ?? .full
    backoff = backoff?.jittered(random.one(of: [.none, .full, .equal, .decorrelated, jitter]))
    return (try? backoff?.checked(cap: random.duration())) ?? backoff ?? .none
  }

  @Test("no backoff gives a negative delay, and no retry traps", arguments: Soak.seeds(300))
  func retries(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    let backoff = backoff(&random)
    for delay in backoff.delays().prefix(200) { #expect(delay >= .zero, "seed \(seed)") }
    let timer = RetryTimer(
      backoff: backoff, healthyPeriod: random.maybe(random.duration()),
      tolerance: random.duration(), clock: clock
    ) { _ in }
    let bound = random.one(of: [.seconds(86_400), .zero, random.duration()])
    let attempts = random.maybe(random.count())
    let (longest, timeout) = (random.maybe(random.duration()), random.maybe(random.duration()))
    let isPossible =
      attempts ?? 1 > 0 && longest ?? .zero >= .zero && timeout ?? .seconds(1) > .zero
    var policy =
      isPossible
      ? RetryPolicy(
        backoff: backoff, maximumAttempts: attempts, maximumDuration: longest,
        attemptTimeout: timeout) : nil
    let advice: [RetryAdvice] = Extremes.durations.map { .retry(after: $0) }
    let choice = Locked(SplitMix64(seed: seed))
    policy = policy?.obeyingHints(atMost: bound).resetting(afterHealthy: random.duration())
      .advised { _ in choice.withLock { advice.randomElement(using: &$0) } }
      .sharing(RetryBudget(capacity: random.count(), cost: random.count()))
    let (period, jitter) = (random.duration(), random.duration())
    let isValid = period > .zero && jitter >= .zero && jitter < period
    let poll = isValid ? PollSchedule(every: period, jitter: jitter, slowing: backoff) : nil
    let poller = poll.map {
      Poller.scheduled($0.obeyingHints(atMost: bound), clock: clock) {
        1
      } handler: { _ in
      }
    }
    let task = policy.map { policy in
      clock.run {
        // Unbounded attempts without a delay would never end.
        let attempts = Counter()
        try await retry(policy, clock: clock) { _ in
          if attempts.add() < 50 { throw CancellationError.other }
        }
      }
    }
    for _ in 0..<20 {
      switch Int.random(in: 0..<5, using: &random) {
      case 0: timer.scheduleNext()
      case 1: timer.scheduleNext(after: random.duration())
      case 2: timer.succeeded()
      case 3: timer.cancel()
      default: clock.lapse(by: .nanoseconds(1))
      }
      clock.runReady()
    }
    task?.cancel()
    poller?.cancel()
    timer.cancel()
    clock.runReady()
  }
}

extension CancellationError {
  /// An error other than a cancellation.
  fileprivate static var other: any Error { ConfigurationError("any", 0, must: "be other") }
}
