import InMemoryTracing
import Instrumentation
import Metrics
import MetricsTestKit
import Pacing
import Tracing

/// What the adapter tells swift-metrics, and the tracing context of a retry.
enum MetricsPart {
  private static let metrics = TestMetrics()
  private static let tracer = InMemoryTracer()

  /// To be called once, before anything reports.
  static func bootstrap() {
    MetricsSystem.bootstrap(metrics)
    InstrumentationSystem.bootstrap(tracer)
  }

  /// The numbers of a limit under load are those of its statistics, and no wait is short.
  @Sendable static func limit() async throws {
    let limits = PacingMetrics("part_limit")
    let bucket = TokenBucket(rate: .perSecond(100), burst: 1)
    for round in 1...2 {
      try await withThrowingTaskGroup { tasks in
        for _ in 1...10 { tasks.addTask { try await limits.acquire(of: bucket) } }
        tasks.addTask {
          do {
            try await limits.acquire(of: bucket, within: .zero)
          } catch is AcquireError {}
        }
        try await tasks.waitForAll()
      }
      limits.record(bucket.statistics)
      let counts = bucket.statistics
      let granted = metrics.counterTotal(label: "part_limit.granted")
      let refused = metrics.counterTotal(label: "part_limit.refused")
      try demand(granted == counts.granted && refused == counts.refused, "\(counts) \(granted)")
      try demand(granted + refused == Int64(11 * round) && granted >= 10 * round, "\(counts)")
      let waits = try metrics.expectTimer("part_limit.wait").values
      try demand(waits.count == counts.granted, "\(waits.count) waits")
    }
  }

  /// Each attempt is a span below the call's, on whatever thread it runs.
  @Sendable static func tracing() async throws {
    struct Failed: Error {}
    let retries = PacingMetrics("part_retry")
    let policy = retries.observing(
      RetryPolicy(backoff: .constant(.milliseconds(5)), maximumAttempts: 3))
    let tries = Instants()
    let answer = try await traced("fetch", policy) {
      guard tries.note("fetch") == 2 else { throw Failed() }
      return try await withTimeout(.seconds(30)) {
        withSpan("inside a timeout") { _ in "answer" }
      }
    }
    try demand(answer == "answer", answer)
    let spans = tracer.finishedSpans
    let call = spans.first { $0.operationName == "fetch" }
    let attempts = spans.filter { $0.operationName == "fetch attempt" }
    let inside = spans.first { $0.operationName == "inside a timeout" }
    try demand(attempts.count == 3, "\(attempts.count) spans")
    try demand(attempts.allSatisfy { $0.parentSpanID == call?.spanID }, "an attempt is elsewhere")
    try demand(attempts.allSatisfy { $0.traceID == call?.traceID }, "another trace")
    try demand(inside?.parentSpanID == attempts.last?.spanID, "the timeout lost the context")
    try demand(attempts.map(\.errors.count) == [1, 1, 0], "errors")
    try demand(metrics.counterTotal(label: "part_retry.attempts") == 3, "attempts")
    try demand(try metrics.expectTimer("part_retry.attempt").values.count == 3, "times")
  }
}
