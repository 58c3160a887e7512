import Pacing
import PacingTesting
import TestSupport
import Testing

@Suite("DispatchTimer.ticks(every:)")
struct TimerStreamTests {
  let clock = ManualClock()

  private func ticks() -> AsyncStream<Tick> {
    DispatchTimer.ticks(every: .milliseconds(10), clock: clock)
  }

  @Test("runs before its first consumer asks, and holds one tick that counts the others")
  func slowConsumer() async {
    var iterator = ticks().makeAsyncIterator()
    clock.advance(by: .milliseconds(35))
    #expect(
      await iterator.next() == Tick(index: 2, scheduled: .at(30), actual: .at(30), missed: 2))
    clock.advance(by: .milliseconds(5))
    #expect(
      await iterator.next() == Tick(index: 3, scheduled: .at(40), actual: .at(40), missed: 0))
  }

  @Test("releases its timer at once when the stream, or its iterator, is dropped", arguments: 0..<3)
  func dropped(way: Int) async {
    var stream: AsyncStream<Tick>? = ticks()
    var iterator = way == 0 ? nil : stream?.makeAsyncIterator()
    #expect(clock.pendingCount == 1)
    stream = nil
    if way > 0 {
      #expect(clock.pendingCount == 1, "the iterator holds it")
      clock.advance(by: .milliseconds(10))
      if way == 2 { #expect(await iterator?.next()?.index == 0) }
      iterator = nil
    }
    #expect(clock.pendingCount == 0)
    _ = (stream, iterator)
  }

  @Test("releases its timer at once when the loop is left")
  func leavingTheLoop() async {
    clock.lapse(by: .milliseconds(5))
    let clock = clock
    for await tick in DispatchTimer.ticks(.every(.milliseconds(10), first: .now), clock: clock) {
      #expect(tick.index == 0)
      break
    }
    #expect(clock.pendingCount == 0)
  }

  @Test("a task that is cancelled before it asks has no tick, and releases the timer")
  func cancelledBefore() async {
    let stream = ticks()
    clock.advance(by: .milliseconds(20))
    let task = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      for await _ in stream { return false }
      return true
    }
    #expect(await task.value)
    #expect(clock.pendingCount == 0, "though the stream is still held")
    withExtendedLifetime(stream) {}
  }

  @Test("a task that is cancelled while it waits ends at once, and releases the timer")
  func cancelledWhileWaiting() async {
    let stream = ticks()
    let task = Task {
      var count = 0
      for await _ in stream { count += 1 }
      return count
    }
    task.cancel()
    #expect(await task.value == 0)
    #expect(clock.pendingCount == 0)
    withExtendedLifetime(stream) {}
  }

  @Test("a consumer that leaves takes nothing from the others")
  func others() async {
    let timer = DispatchTimer(.every(.milliseconds(10)), clock: clock)
    var first: AsyncStream<Tick>.Iterator? = timer.ticks().makeAsyncIterator()
    var second = timer.ticks().makeAsyncIterator()
    timer.start()
    clock.advance(by: .milliseconds(10))
    #expect(await first?.next()?.index == 0)
    first = nil
    clock.advance(by: .milliseconds(10))
    #expect(await second.next() == Tick(index: 1, scheduled: .at(20), actual: .at(20), missed: 1))
    #expect(clock.pendingCount == 1)
    timer.cancel()
    #expect(await second.next() == nil)
    _ = first
  }
}
