import Pacing
import PacingTesting
import Testing

@Suite("QueuePolicy")
struct QueuePolicyTests {
  let clock = ManualClock()
  let recorder: Recorder<String>

  init() {
    recorder = Recorder(clock: clock)
  }

  /// Ten a second, three at most, none at first.
  func bucket(_ queue: QueuePolicy) -> TokenBucket {
    TokenBucket(rate: .perSecond(10), burst: 3, initial: 0, queue: queue, clock: clock)
  }

  func ask(_ bucket: TokenBucket, _ names: [String], within timeout: Duration? = nil) {
    for name in names {
      _ = bucket.acquire(within: timeout) { result in
        if case .failure(let error) = result {
          recorder.record("\(name): \(error)")
        } else {
          recorder.record(name)
        }
      }
    }
    clock.runReady()
  }

  @Test("one more than may wait is refused, and the others keep their turns")
  func refusesNewest() {
    let bucket = bucket(QueuePolicy(limit: 2))
    ask(bucket, ["a", "b", "c"])
    #expect(recorder.values == ["c: 2 callers wait already"])
    #expect(bucket.waiting == 2)
    clock.advance(by: .milliseconds(300))
    #expect(recorder.values.suffix(2) == ["a", "b"])
    #expect(bucket.available == 1)
  }

  @Test("or whoever waited longest makes way")
  func dropsOldest() {
    let bucket = bucket(QueuePolicy(limit: 2, whenFull: .dropOldest))
    ask(bucket, ["a", "b", "c"])
    #expect(recorder.values == ["a: 2 callers wait already"])
    clock.advance(by: .milliseconds(200))
    #expect(recorder.values.suffix(2) == ["b", "c"])
  }

  @Test("whoever waits longest makes way for one who is in time only then")
  func dropsOldestInTime() {
    let bucket = bucket(QueuePolicy(limit: 1, whenFull: .dropOldest))
    ask(bucket, ["a"])
    ask(bucket, ["b"], within: .milliseconds(99))
    #expect(recorder.values.first?.hasPrefix("b: the tokens come after 0.1") == true)
    ask(bucket, ["c"], within: .milliseconds(100))
    #expect(recorder.values.last == "a: 1 callers wait already")
    clock.advance(by: .milliseconds(100))
    #expect(recorder.values.last == "c")
  }

  @Test("the last to come is served first, where that was asked for")
  func newestFirst() {
    let bucket = bucket(QueuePolicy(order: .newestFirst))
    ask(bucket, ["a", "b"])
    clock.advance(by: .milliseconds(50))
    ask(bucket, ["c"])
    clock.advance(by: .milliseconds(250))
    #expect(recorder.values == ["c", "b", "a"])
  }

  @Test("the last to come, and the oldest makes way")
  func newestFirstDroppingOldest() {
    let bucket = bucket(QueuePolicy(limit: 2, order: .newestFirst, whenFull: .dropOldest))
    ask(bucket, ["a", "b", "c"])
    clock.advance(by: .milliseconds(200))
    #expect(recorder.values == ["a: 2 callers wait already", "c", "b"])
  }

  @Test("who is overtaken and cannot be served in time any more is refused at that moment")
  func overtaken() throws {
    let bucket = bucket(QueuePolicy(order: .newestFirst))
    ask(bucket, ["a"], within: .milliseconds(150))
    #expect(recorder.values.isEmpty)
    ask(bucket, ["b"])
    #expect(recorder.values.first?.hasPrefix("a: the tokens come after 0.2") == true)
    #expect(bucket.peek().retryAfter == .milliseconds(200), "b is served before who asks again")
    #expect(try bucket.reserve().delay == .milliseconds(100), "who reserves now is the newest")
  }

  @Test("with a limit of zero nobody waits, and what is there is granted")
  func nobodyWaits() {
    let bucket = bucket(QueuePolicy(limit: 0))
    ask(bucket, ["a"])
    clock.advance(by: .milliseconds(100))
    ask(bucket, ["b"])
    #expect(recorder.values == ["a: 0 callers wait already", "b"])
  }

  @Test("a stream always waits its turn, and comes again where it made way")
  func streams() async {
    let bucket = bucket(QueuePolicy(limit: 1, whenFull: .dropOldest))
    let task = Task {
      var ticks = bucket.ticks().makeAsyncIterator()
      return await ticks.next()
    }
    await clock.sleepers(atLeast: 1)
    ask(bucket, ["a"])
    await clock.sleepers(atLeast: 1)
    #expect(bucket.waiting == 2)
    clock.advance(by: .milliseconds(200))
    #expect(await task.value?.index == 0)
    #expect(recorder.values == ["a"])
  }

  @Test("dotnet/runtime#64078: one who was cancelled does not fill the queue")
  func cancelledLeave() {
    let bucket = bucket(QueuePolicy(limit: 1))
    let first = bucket.acquire { _ in recorder.record("first") }
    #expect(first.cancel())
    ask(bucket, ["second"])
    clock.advance(by: .milliseconds(100))
    #expect(recorder.values == ["second"])
  }

  @Test("dotnet/runtime#77180: a large one that leaves lets a small one through at once")
  func largeOneLeaves() {
    let bucket = TokenBucket(rate: .perSecond(10), burst: 3, initial: 1, clock: clock)
    let large = bucket.acquire(3) { _ in recorder.record("large") }
    _ = bucket.acquire(1) { _ in recorder.record("small") }
    large.cancel()
    clock.runReady()
    #expect(recorder.values == ["small"])
  }
}
