import Metrics
import Pacing
import Synchronization
import Tracing

// snippet: recipe-metrics-adapter
/// Reports the statistics of tools to swift-metrics, under one name.
final class PacingMetrics: Sendable {
  private let granted, refused, attempts: Counter
  private let waits, lateness, attemptTimes: Metrics.Timer
  private let gauges: @Sendable (String) -> Gauge
  private let last = Mutex((granted: 0, refused: 0))

  init(_ name: String) {
    granted = Counter(label: "\(name).granted")
    refused = Counter(label: "\(name).refused")
    attempts = Counter(label: "\(name).attempts")
    waits = Metrics.Timer(label: "\(name).wait")
    lateness = Metrics.Timer(label: "\(name).lateness")
    attemptTimes = Metrics.Timer(label: "\(name).attempt")
    gauges = { Gauge(label: "\(name).\($0)") }
  }

  /// Acquires, and records how long the caller has waited.
  func acquire(
    _ cost: Int = 1, of limit: some AwaitableLimit, within timeout: Duration? = nil,
    clock: any Clock<Duration> = .dispatch
  ) async throws {
    let wait = try await clock.measure { try await limit.acquire(cost, within: timeout) }
    waits.record(duration: wait)
  }

  /// Counts what a limit has decided since the last call.
  private func count(granted newGranted: Int, refused newRefused: Int) {
    let before = last.withLock { last in
      defer { last = (newGranted, newRefused) }
      return last
    }
    granted.increment(by: newGranted - before.granted)
    refused.increment(by: newRefused - before.refused)
  }

  func record<Key>(_ limiter: KeyedRateLimiter<Key>) {
    record(limiter.statistics)
    gauges("keys").record(limiter.keyCount)
    gauges("waiting").record(limiter.waitingCount)
  }

  func record(_ limit: LimitStatistics) {
    count(granted: limit.granted, refused: limit.refused)
  }

  func record(_ deliveries: DeliveryStatistics) {
    gauges("received").record(deliveries.received)
    gauges("delivered").record(deliveries.delivered)
    gauges("merged").record(deliveries.merged)
    gauges("dropped").record(deliveries.dropped)
    gauges("pending").record(deliveries.pending)
  }

  func record(_ tick: Tick) { lateness.record(duration: tick.lateness) }

  /// A policy that counts its attempts, and records how long each took.
  func observing(_ policy: RetryPolicy) -> RetryPolicy {
    policy.afterAttempt { [attempts, attemptTimes] report in
      attempts.increment()
      attemptTimes.record(duration: report.duration)
    }
  }
}
// end

/// Reports once in a period.
func reporting(
  _ users: KeyedRateLimiter<String>, _ edits: Debouncer<String>, clock: any Clock<Duration>
) -> DispatchTimer {
  // snippet: recipe-metrics-use
  let (limits, saves) = (PacingMetrics("user_limit"), PacingMetrics("saves"))
  let reporter = DispatchTimer.scheduled(every: .seconds(10), clock: clock) { tick in
    limits.record(users)
    saves.record(edits.statistics)
    saves.record(tick)
  }
  // end
  return reporter
}

// snippet: recipe-metrics-tracing
/// A span for the call, and one for each attempt below it.
func traced<Success: Sendable>(
  _ name: String, _ policy: RetryPolicy, clock: any Clock<Duration> = .dispatch,
  _ operation: @Sendable () async throws -> Success
) async throws -> Success {
  try await withSpan(name) { _ in
    try await retry(policy, clock: clock) { attempt in
      try await withSpan("\(name) attempt") { span in
        span.attributes["attempt"] = attempt.number
        return try await operation()
      }
    }
  }
}
// end
