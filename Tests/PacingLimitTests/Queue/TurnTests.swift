import Pacing
import TestSupport
import Testing

/// Decisions after a task has joined the queue and before it suspends.
@Suite("A task's turn at a limit")
struct TurnTests {
  /// A clock that stands still, and calls back at a given reading.
  ///
  /// A limit reads its clock when a request arrives, under its lock, and again when it sets the
  /// request's timer: by then the request is in the queue, and the task has not suspended.
  final class CallingClock: Clock, Sendable {
    private struct Call: Sendable {
      let readingsBefore: Int
      let body: @Sendable () -> Void
    }

    private let instant = ContinuousClock.now
    private let call = Slot<Call>()

    var minimumResolution: Duration { .nanoseconds(1) }

    var now: ContinuousClock.Instant {
      if let next = call.put(nil) {
        let left = next.readingsBefore - 1
        if left < 0 { next.body() } else { call(afterReadings: left, next.body) }
      }
      return instant
    }

    func sleep(until deadline: ContinuousClock.Instant, tolerance: Duration?) async throws {
      for await _ in AsyncStream<Never>.makeStream().stream {}
      throw CancellationError()
    }

    func call(afterReadings count: Int, _ body: @escaping @Sendable () -> Void) {
      call.put(Call(readingsBefore: count, body: body))
    }
  }

  let clock = CallingClock()
  let bucket: TokenBucket

  init() {
    bucket = TokenBucket(
      rate: Rate(1, per: .seconds(3600)), burst: 3, initial: 0, clock: clock)
  }

  @Test("a grant that comes before the task suspends is had")
  func granted() async throws {
    let waiting = Slot<Int>()
    clock.call(afterReadings: 1) { [bucket] in
      waiting.put(bucket.waitingCount)
      bucket.add(1)
    }
    try await bucket.acquire()
    #expect(waiting.value == 1)
    #expect(bucket.available == 0 && bucket.waitingCount == 0)
  }

  @Test("a task that is cancelled on its way into the queue does not wait, and takes nothing")
  func cancelled() async {
    clock.call(afterReadings: 0) { withUnsafeCurrentTask { $0?.cancel() } }
    let task = Task { [bucket] in try await bucket.acquire() }
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(bucket.available == 0 && bucket.waitingCount == 0)
    #expect(bucket.statistics.withdrawn == 1)
  }

  @Test("a limit that is closed before the task suspends refuses it")
  func closed() async {
    clock.call(afterReadings: 1) { [bucket] in bucket.close() }
    await #expect(throws: AcquireError.closed) { try await bucket.acquire() }
  }
}
