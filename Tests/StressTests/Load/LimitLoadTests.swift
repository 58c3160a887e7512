import Pacing
import TestSupport
import Testing

extension LoadTests {
  @Suite("Load: a crowd at a bucket")
  struct CrowdLoad {
    @Test("of many tasks that acquire at once half are cancelled: each has one answer")
    func acquires() async throws {
      let count = LoadTests.count(100_000)
      try await LoadTests.memory("\(count) acquires", errors: count / 2) {
        let clock = DispatchClock.apart()
        let rate = 20_000
        let bucket = TokenBucket(rate: .perSecond(rate), burst: 50, clock: clock)
        let start = clock.now
        let tasks = (0..<count).map { _ in bucket.acquiring() }
        LoadTests.report("\(bucket.waitingCount) of \(count) wait")
        for (index, task) in tasks.enumerated() where index.isMultiple(of: 2) { task.cancel() }
        var granted = 0
        for (index, task) in tasks.enumerated() {
          let isGranted = try await task.value
          #expect(isGranted || index.isMultiple(of: 2))
          granted += isGranted ? 1 : 0
        }
        let elapsed = start.duration(to: clock.now)
        LoadTests.report("\(granted) granted in \(elapsed)")
        #expect(bucket.statistics.granted == granted && bucket.statistics.tokens == granted)
        #expect(bucket.waitingCount == 0 && clock.pendingCount == 0)
        #expect(granted >= count / 2)
        #expect(Double(granted) <= 50 + Double(rate) * (elapsed / .seconds(1)))
      }
    }
  }
}
