import Pacing
import PacingTesting
import Testing

/// A precondition failure and its message, with the throwing variant that reports the same
/// sentence.
struct Trap: Sendable, CustomStringConvertible {
  let description: String
  let stop: @Sendable () -> Void
  /// Nil if there is only a number to check.
  var validate: (@Sendable () throws -> Void)?

  init(
    _ description: String, _ stop: @escaping @Sendable () -> Void,
    validating validate: (@Sendable () throws -> Void)? = nil
  ) {
    self.description = description
    self.stop = stop
    self.validate = validate
  }

  static let all: [Trap] = policies + limits + retries + calls

  private static let policies = [
    Trap("maximumKeys must be positive, but is 0") {
      _ = KeyedDebouncer<Int, Int>(for: .seconds(1), maximumKeys: 0)
    },
    Trap("maximumKeys must be positive, but is -1") {
      _ = KeyedThrottler<Int, Int>(every: .seconds(1), maximumKeys: -1, whenFull: .makeRoom)
    },
    Trap("queue must be positive, but is 0") {
      Debouncer<Int>(for: .seconds(1)).handle(overlap: .queue(0)) { _ in }
    },
    Trap("concurrent must be positive, but is 0") {
      Debouncer<Int>(for: .seconds(1)).handle(overlap: .concurrent(0)) { _ in }
    },
    Trap("concurrent must be positive, but is -1") {
      _ = AsyncDebouncer<Int, Int>(for: .seconds(1), overlap: .concurrent(-1)) { $0 }
    },
    Trap("maximumCount must be positive, but is 0") { _ = BatchLimit(maximumCount: 0) },
    Trap("maximumWeight must be positive, but is -1") { _ = BatchLimit(maximumWeight: -1) },
    Trap("every must be positive, but is 0.0 seconds") { _ = BatchLimit.every(.zero) },
    Trap("maximumPendingBatches must be positive, but is 0") {
      _ = BatchLimit(maximumPendingBatches: 0)
    },
    Trap("every must be positive, but is 0.0 seconds") {
      _ = DispatchTimer.scheduled(every: .zero) { _ in }
    },
    Trap("count must be positive, but is 0") {
      _ = TickSchedule.every(.seconds(1), count: 0)
    },
    Trap("jitter must be shorter than the period, and not negative, but is 1.0 seconds") {
      _ = TickSchedule.every(.seconds(1), jitter: .seconds(1))
    },
    Trap("every must be positive, but is -1.0 seconds") {
      DispatchTimer(.every(.seconds(1))) { _ in }.reschedule(every: .seconds(-1))
    },
    Trap("limit must be positive, but is 0") {
      _ = TickSchedule.every(.seconds(1), missed: .burst(limit: 0))
    },
    Trap("every must be positive, but is 0.0 seconds") { _ = Sampler<Int>(every: .zero) },
    Trap("step must be positive, but is 0.0 seconds") { _ = ManualClock(step: .zero) },
  ]

  private static let limits = [
    Trap("count must be positive, but is 0") {
      _ = Rate.perSecond(0)
    } validating: {
      _ = try Rate(checking: 0, per: .seconds(1))
    },
    Trap("period must be positive, but is 0.0 seconds") {
      _ = Rate.every(.zero)
    } validating: {
      _ = try Rate(checking: 1, per: .zero)
    },
    Trap("period must give a ratio that fits in 64 bits") {
      _ = Rate(.max, per: Extremes.eleventh)
    } validating: {
      _ = try Rate(checking: .max, per: Extremes.eleventh)
    },
    Trap("burst must be positive, but is 0") {
      _ = TokenBucket(rate: .perSecond(1), burst: 0)
    },
    Trap("initial must be in 0...1, but is 2") {
      _ = TokenBucket(rate: .perSecond(1), burst: 1, initial: 2)
    },
    Trap("burst must be positive, but is 0") {
      TokenBucket(rate: .perSecond(1), burst: 1).reconfigure(burst: 0)
    } validating: {
      _ = try Quota(checking: .perSecond(1), burst: 0)
    },
    Trap("count must be positive, but is 0") {
      _ = Limit.slidingWindow(0, per: .seconds(1))
    },
    Trap("window must be positive, but is 0.0 seconds") {
      _ = Limit.fixedWindow(1, per: .zero)
    },
    Trap("maximumWaiters must not be negative, but is -1") {
      _ = QueuePolicy(maximumWaiters: -1)
    },
    Trap("burst must be positive, but is -1") {
      _ = Quota(rate: .perSecond(1), burst: -1)
    } validating: {
      _ = try Quota(checking: .perSecond(1), burst: -1)
    },
    Trap("count must be positive, but is 0") {
      _ = ConcurrencyLimit(0)
    },
    Trap("count must be positive, but is 0") {
      ConcurrencyLimit(1).reconfigure(0)
    },
    Trap("adaptive must be within 1...1073741824, but is 0...9") {
      _ = ConcurrencyLimit(adaptive: 0...9, startingAt: 1)
    },
    Trap("startingAt must be in 1...9, but is 10") {
      _ = ConcurrencyLimit(adaptive: 1...9, startingAt: 10)
    },
    Trap("perKey must be positive, but is 0") {
      _ = KeyedConcurrencyLimit<Int>(perKey: 0, total: 1)
    },
    Trap("perKey must be positive, but is -1") {
      _ = KeyedConcurrencyLimit<Int>(total: 1) { -$0 }.tryAcquire(for: 1)
    },
    Trap("total must be positive, but is 0") {
      _ = KeyedConcurrencyLimit<Int>(perKey: 1, total: 0)
    },
    Trap("limits must be one or several, but is none") {
      _ = RateLimiter([])
    },
    Trap("limits must be one or several, but is none") {
      _ = KeyedRateLimiter<Int>(maximumKeys: 1) { _ in [Limit]() }.peek(for: 1)
    },
    Trap("costs must be the name of a part of the limit, but is tokens") {
      _ = KeyedRateLimiter<Int>(rate: .perSecond(1), burst: 1, maximumKeys: 1).request(
        [.tokens: 1], for: 1)
    },
    Trap("maximumKeys must be positive, but is 0") {
      _ = KeyedRateLimiter<Int>(rate: .perSecond(1), burst: 1, maximumKeys: 0)
    },
    Trap("costs must be the name of a part of the limit, but is other") {
      _ = RateLimiter(.slidingWindow(1, per: .seconds(1)).named("one")).tryAcquire(["other": 1])
    },
    Trap("costs must name each part once") {
      _ = RateLimiter(.slidingWindow(1, per: .seconds(1)).named("one")).peek(["one": 1, "one": 2])
    },
  ]

  private static let retries = [
    Trap("base must not be negative, but is -1.0 seconds") {
      _ = Backoff.constant(.seconds(-1))
    } validating: {
      _ = try Backoff.checked(exponential: .seconds(-1), factor: 1)
    },
    Trap("factor must be finite and at least 1, but is 0.5") {
      _ = Backoff.exponential(from: .seconds(1), factor: 0.5)
    } validating: {
      _ = try Backoff.checked(exponential: .seconds(1), factor: 0.5)
    },
    Trap("increment must not be negative, but is -1.0 seconds") {
      _ = Backoff.linear(from: .zero, by: .seconds(-1))
    } validating: {
      _ = try Backoff.checked(linear: .zero, by: .seconds(-1))
    },
    Trap("cap must not be negative, but is -1.0 seconds") {
      _ = Backoff.none.capped(at: .seconds(-1))
    } validating: {
      _ = try Backoff.none.checked(cap: .seconds(-1))
    },
    Trap("ratio must be in 0...1, but is 1.5") {
      _ = Jitter.proportional(1.5)
    } validating: {
      _ = try Jitter.checked(1.5)
    },
    Trap("maximumAttempts must be positive, but is 0") {
      _ = RetryPolicy(backoff: .none, maximumAttempts: 0)
    },
    Trap("attemptTimeout must be positive, but is 0.0 seconds") {
      _ = RetryPolicy(backoff: .none, attemptTimeout: .zero)
    },
    Trap("every must be positive, but is 0.0 seconds") {
      _ = PollSchedule(every: .zero)
    },
  ]

  private static let calls = [
    Trap("handler must be attached once, but is attached already") {
      let tool = Debouncer<Int>(for: .seconds(1)) { _ in }
      tool.handle(with: tool, on: .shared) { _, _ in }
    },
    Trap("handler must be attached once, but is attached already") {
      let timer = DispatchTimer(.every(.seconds(1)))
      timer.handle(with: timer, on: .shared) { _, _ in }
      timer.handle(with: timer, on: .shared) { _, _ in }
    },
    Trap("handler must be attached once, but is attached already") {
      let poller = Poller(PollSchedule(every: .seconds(1))) { 1 }
      for _ in 0..<2 { poller.handle(with: poller, on: .shared) { _, _ in } }
    },
    Trap("cost must not be negative, but is -1") {
      _ = TokenBucket(rate: .perSecond(1), burst: 1).tryAcquire(-1)
    },
    Trap("cost must not be negative, but is -1") {
      _ = RateLimiter(.slidingWindow(1, per: .seconds(1))).tryAcquire(-1)
    },
    Trap("cost must not be negative, but is -1") {
      _ = KeyedRateLimiter<Int>(rate: .perSecond(1), burst: 1, maximumKeys: 1).tryAcquire(
        -1, for: 1)
    },
    Trap("keys must be one or several, but is []") {
      _ = KeyedRateLimiter<Int>(rate: .perSecond(1), burst: 1, maximumKeys: 1).request(for: [])
    },
  ]
}

#if os(Linux) || os(macOS)
  @Suite("Constants that stop the program")
  struct TrapTests {
    @Test("it says which one, what it is, and what it must be", arguments: Trap.all.indices)
    func message(index: Int) async throws {
      let result = try await #require(
        processExitsWith: .failure, observing: [\.standardErrorContent]
      ) { [index] in
        Trap.all[index].stop()
      }
      let said = String(decoding: result.standardErrorContent, as: UTF8.self)
      #expect(said.contains(Trap.all[index].description), "\(said)")
    }

    @Test(
      "a setting from elsewhere throws the same sentence, and stops nothing",
      arguments: Trap.all.indices)
    func validation(index: Int) {
      guard let validate = Trap.all[index].validate else { return }
      let error = #expect(throws: ConfigurationError.self) { try validate() }
      #expect(error?.description.contains(Trap.all[index].description) == true)
    }
  }
#endif
