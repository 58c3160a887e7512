import Pacing
import PacingTesting
import Testing

/// A user's own limit, which knows nothing of streams.
private struct CustomLimit: AwaitableLimit {
  let burst: Int
  let asked = EventRecorder<Int>()

  func acquire(_ cost: Int, within timeout: Duration?) async throws {
    asked.record(cost)
    if cost > burst { throw AcquireError.exceedsBurst(cost: cost, burst: burst) }
    if asked.values.count > 6 { throw AcquireError.closed }
  }
}

@Suite("A limit of a user's own")
struct CustomLimitTests {
  @Test("limits a sequence: a cost above its burst takes the burst, and its end ends the sequence")
  func limited() async {
    let limit = CustomLimit(burst: 3)
    let source = AsyncStream { continuation in
      for element in [1, 5, 2, 9, 1, 1] { continuation.yield(element) }
      continuation.finish()
    }
    var taken = [Int]()
    for await element in source.limited(by: limit, cost: { $0 }) { taken.append(element) }
    #expect(taken == [1, 5, 2, 9])
    #expect(limit.asked.values == [1, 5, 3, 2, 9, 3, 1])
  }

  @Test("that can never grant anything ends a sequence at once")
  func none() async {
    let source = AsyncStream { continuation in
      continuation.yield(1)
      continuation.finish()
    }
    for await _ in source.limited(by: CustomLimit(burst: 0)) { Issue.record("not granted") }
  }
}
