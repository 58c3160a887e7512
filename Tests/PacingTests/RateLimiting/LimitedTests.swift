import Pacing
import PacingTesting
import Testing

@Suite("Limited sequences and functions")
struct LimitedTests {
  let clock = ManualClock()

  func bucket(initial: Int = 2) -> TokenBucket {
    TokenBucket(rate: .perSecond(10), burst: 2, initial: initial, clock: clock)
  }

  func source(_ count: Int) -> AsyncStream<Int> {
    AsyncStream { continuation in
      for number in 0..<count { continuation.yield(number) }
      continuation.finish()
    }
  }

  @Test("hands on every element, at the pace of the bucket")
  func pace() async {
    let recorder = Recorder<Int>(clock: clock)
    let bucket = bucket()
    let task = Task { [source = source(4)] in
      for await number in source.limited(by: bucket) { recorder.record(number) }
    }
    for count in 2...3 {
      await clock.sleepers(atLeast: 1)
      #expect(recorder.values.count == count)
      clock.advance(by: .milliseconds(100))
    }
    await task.value
    #expect(recorder.values == [0, 1, 2, 3])
    #expect(bucket.available == 0)
    #expect(clock.pendingCount == 0)
  }

  @Test("an element costs what it is said to, and at most what the bucket can give")
  func costs() async {
    let bucket = bucket()
    let task = Task { [source = source(3)] in
      var numbers = [Int]()
      for await number in source.limited(by: bucket, cost: { [0, 1, 100][$0] }) {
        numbers.append(number)
      }
      return numbers
    }
    await clock.sleepers(atLeast: 1)
    #expect(bucket.available == -1)
    clock.advance(by: .milliseconds(100))
    #expect(await task.value == [0, 1, 2])
    #expect(bucket.available == 0)
  }

  @Test("passes on what upstream throws")
  func failures() async {
    struct Failure: Error {}
    let source = AsyncThrowingStream<Int, any Error> { $0.finish(throwing: Failure()) }
    await #expect(throws: Failure.self) {
      for try await _ in source.limited(by: bucket()) {}
    }
  }

  @Test("ends with its task and with its bucket, and spends nothing then")
  func ends() async {
    for isClosing in [false, true] {
      let bucket = bucket(initial: 0)
      let task = Task { [source = source(3)] in
        var count = 0
        for await _ in source.limited(by: bucket) { count += 1 }
        return count
      }
      await clock.sleepers(atLeast: 1)
      if isClosing { bucket.close() } else { task.cancel() }
      #expect(await task.value == 0)
      #expect(bucket.available == 0)
      #expect(clock.pendingCount == 0)
    }
  }

  @Test("a limited function waits for its tokens before it runs")
  func functions() async throws {
    let bucket = bucket(initial: 1)
    let double = bucket.limiting { (number: Int) in number * 2 }
    #expect(try await double(21) == 42)
    let greet = bucket.limiting(cost: 2, within: .milliseconds(100)) { "hello" }
    await #expect(throws: AcquireError.deadline(neededWait: .milliseconds(200))) {
      try await greet()
    }
    clock.advance(by: .milliseconds(200))
    #expect(try await greet() == "hello")
  }
}
