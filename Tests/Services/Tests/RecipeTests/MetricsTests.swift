import Metrics
import MetricsTestKit
import Pacing
import PacingTesting
import Testing

@testable import services

@Suite("Metrics, on virtual time")
struct MetricsTests {
  static let metrics: TestMetrics = {
    let metrics = TestMetrics()
    MetricsSystem.bootstrap(metrics)
    return metrics
  }()

  @Test("records how long each caller has waited, to the nanosecond")
  func waits() async throws {
    let (metrics, clock) = (Self.metrics, ManualClock())
    let limits = PacingMetrics("waits")
    let bucket = TokenBucket(rate: .perSecond(10), burst: 1, clock: clock)
    for _ in 1...3 { clock.run { try await limits.acquire(of: bucket, clock: clock) } }
    clock.advance(by: .seconds(1))
    limits.record(bucket.statistics)
    #expect(try metrics.expectTimer("waits.wait").values == [0, 100_000_000, 200_000_000])
    #expect(metrics.counterTotal(label: "waits.granted") == 3)
  }

  @Test("reports statistics and lateness once in a period")
  func reporter() throws {
    let (metrics, clock) = (Self.metrics, ManualClock())
    let users = KeyedRateLimiter<String>(
      rate: .perSecond(1), burst: 1, maximumKeys: 10, clock: clock)
    let edits = Debouncer<String>(for: .seconds(60), clock: clock) { _ in }
    let timer = reporting(users, edits, clock: clock)
    func gauge(_ label: String) throws -> Double? { try metrics.expectGauge(label).values.last }
    for round in 1...2 {
      _ = users.request(for: "ann")
      _ = users.request(for: "ann")
      edits.send("a")
      clock.lapse(by: .milliseconds(7))
      clock.advance(by: .seconds(10) - .milliseconds(7))
      #expect(metrics.counterTotal(label: "user_limit.granted") == Int64(round))
      #expect(metrics.counterTotal(label: "user_limit.refused") == Int64(round))
      #expect(try gauge("saves.received") == Double(round))
      #expect(try gauge("saves.merged") == Double(round - 1))
      #expect(try gauge("saves.pending") == 1)
    }
    clock.lapse(by: .milliseconds(10_007))
    clock.advance(by: .zero)
    #expect(try metrics.expectTimer("saves.lateness").values == [0, 0, 7_000_000])
    timer.cancel()
  }
}
