import Pacing
import TestSupport
import Testing

private struct Fault: Error {}

@Suite("Operators and races", .alone)
struct OperatorRaceTests {
  /// Ten numbers with occasional pauses, and then an error.
  private func numbers(
    onRelease: @escaping @Sendable () -> Void = {}
  ) -> AsyncThrowingStream<Int, any Error> {
    AsyncThrowingStream { continuation in
      // Set after the stream has finished, the handler is not called.
      continuation.onTermination = { _ in onRelease() }
      Task {
        for number in 0..<10 {
          if number.isMultiple(of: 3) { try? await DispatchClock().sleep(for: .microseconds(50)) }
          guard case .enqueued = continuation.yield(number) else { return }
        }
        continuation.finish(throwing: Fault())
      }
    }
  }

  @Test("no element and no error is lost, whichever side is faster", arguments: Soak.seeds(100))
  func nothingIsLost(seed: UInt64) async {
    var delayed = [Int]()
    await #expect(throws: Fault.self) {
      for try await value in numbers().delayed(by: .microseconds(20), onError: .whenDue) {
        delayed.append(value)
      }
    }
    #expect(delayed == Array(0..<10))
    var batched = [Int]()
    await #expect(throws: Fault.self) {
      let limit = BatchLimit(maximumCount: 3, maximumDelay: .microseconds(30))
      for try await batch in numbers().batched(limit, onError: .atOnce) {
        if seed.isMultiple(of: 2) { try await DispatchClock().sleep(for: .microseconds(80)) }
        batched += batch
      }
    }
    #expect(batched == Array(0..<10))
    var timed = [Int]()
    await #expect(throws: Fault.self) {
      for try await value in numbers().timeout(after: .seconds(86_400)) { timed.append(value) }
    }
    #expect(timed == Array(0..<10))
    var throttled = [Int]()
    await #expect(throws: Fault.self) {
      for try await value in numbers().throttled(every: .microseconds(20), onError: .whenDue) {
        throttled.append(value)
      }
    }
    #expect(throttled.last == 9 && zip(throttled, throttled.dropFirst()).allSatisfy { $0 < $1 })
  }

  @Test(
    "a chain that is cancelled at any moment ends and releases upstream", arguments: Soak.seeds(100)
  )
  func cancelled(seed: UInt64) async {
    let released = CountDown(1)
    let chain = numbers { released.arrive() }
      .debounced(for: .microseconds(10))
      .delayed(by: .microseconds(10))
      .timeout(after: .seconds(86_400))
      .batched(BatchLimit(maximumCount: 2, maximumDelay: .microseconds(10)))
      .throttled(every: .microseconds(10))
    let consumer = Task {
      var last = -1
      for try await batch in chain {
        for value in batch {
          #expect(value > last)
          last = value
        }
      }
    }
    try? await DispatchClock().sleep(for: .microseconds(Int(seed) * 3))
    consumer.cancel()
    _ = await consumer.result
    await released.wait()
  }

  @Test(
    "time that is over and an element that comes decide one or the other",
    arguments: Soak.seeds(100))
  func timeout(seed: UInt64) async {
    let (values, source) = AsyncStream.makeStream(of: Int.self)
    let feeder = Task {
      for value in 0..<20 {
        source.yield(value)
        try? await DispatchClock().sleep(for: .microseconds(100))
      }
    }
    var taken = [Int]()
    do {
      for try await value in values.timeout(after: .microseconds(150 + Int(seed))) {
        taken.append(value)
      }
      Issue.record("no end")
    } catch {
      #expect(error is TimeoutError)
    }
    #expect(taken == Array(0..<taken.count))
    feeder.cancel()
    await feeder.value
  }
}
