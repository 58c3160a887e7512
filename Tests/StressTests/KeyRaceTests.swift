import Dispatch
import Pacing
import PacingTesting
import TestSupport
import Testing

@Suite("Keys, sums and races", .alone)
struct KeyRaceTests {
  @Test("a wait for all keys ends, also when a finish drops those that the timer has yet to decide")
  func flushAndFinish() async {
    for round in Soak.seeds(20) {
      let tool = KeyedDebouncer<Int, Int>(for: .seconds(60))
      let ticks = tool.ticks()
      for key in 0..<3_000 { tool.send(key, for: key) }
      let waiting = Task.eager { await tool.flushAndWait() }
      tool.finish(.discard)
      #expect(await waiting.value && !tool.isPending, "round \(round)")
      withExtendedLifetime(ticks) {}
    }
  }

  @Test("what 8 threads reduce loses nothing: the sums are exact")
  func sums() async {
    let sum = Counter()
    let left = CountDown(1)
    let count = 1_250 * Soak.scale
    do {
      let end = Burden("end") { left.arrive() }
      let tool = Throttler<Int>(every: .microseconds(20), keeping: .reducing(+)) { value in
        withExtendedLifetime(end) { _ = sum.add(value) }
      }
      DispatchQueue.concurrentPerform(iterations: 8) { _ in
        for value in 1...count { tool.send(value) }
      }
      tool.finish()
    }
    await left.wait()
    #expect(sum.value == 8 * count * (count + 1) / 2)
  }

  @Test("what 8 threads reduce for the same keys loses nothing: the sums are exact")
  func keyedSums() async {
    let sums = (0..<4).map { _ in Counter() }
    let left = CountDown(1)
    let count = 500 * Soak.scale
    do {
      let end = Burden("end") { left.arrive() }
      let tool = KeyedThrottler<Int, Int>(every: .microseconds(20), keeping: .reducing(+)) {
        key, value in withExtendedLifetime(end) { _ = sums[key].add(value) }
      }
      DispatchQueue.concurrentPerform(iterations: 8) { _ in
        for value in 1...count { tool.send(value, for: value % 4) }
      }
      tool.finish()
    }
    await left.wait()
    for key in 0..<4 {
      let expected = (1...count).lazy.filter { $0 % 4 == key }.reduce(0, +)
      #expect(sums[key].value == 8 * expected)
    }
  }

  @Test("each key's values keep their order, one at a time, whatever thread they come from")
  func keys() async {
    let left = CountDown(1)
    let running = (0..<8).map { _ in Counter() }
    let latest = (0..<8).map { _ in Counter() }
    let counts = Slot<DeliveryStatistics>()
    let delivered = Counter()
    do {
      let end = Burden("end") { left.arrive() }
      let tool = KeyedThrottler<Int, Int>(every: .microseconds(10)) { key, value in
        #expect(running[key].add() == 1)
        let before = latest[key].value
        #expect(value > before)
        latest[key].add(value - before)
        delivered.add()
        running[key].add(-1)
        withExtendedLifetime(end) {}
      }
      DispatchQueue.concurrentPerform(iterations: 8) { thread in
        for value in 1...500 * Soak.scale {
          tool.send(value, for: thread)
          if value % 97 == thread { tool.flush(for: thread) }
          if value % 89 == thread { tool.cancel(for: thread) }
          if value % 997 == thread { tool.flush() }
        }
        tool.send(.max / 2, for: thread)
      }
      await tool.flushAndWait()
      counts.put(tool.statistics)
      tool.finish()
    }
    await left.wait()
    let total = counts.value!
    #expect(total.received == total.delivered + total.merged + total.dropped)
    #expect(total.delivered == delivered.value && total.pending == 0)
    #expect(latest.allSatisfy { $0.value == .max / 2 })
  }

  @Test("thousands of keys: each is delivered once, and nothing of them stays")
  func manyKeys() {
    let clock = ManualClock()
    let delivered = Counter()
    let tool = KeyedDebouncer<Int, Int>(for: .seconds(1), clock: clock) { _, _ in delivered.add() }
    let count = 1_000 * Soak.scale
    for round in 1...2 {
      for key in 0..<count { tool.send(round, for: key) }
      #expect(tool.keyCount == count && clock.pendingCount == 1)
      clock.advance(by: .seconds(1))
      #expect(delivered.value == count * round && tool.keyCount == 0 && clock.pendingCount == 0)
    }
    for key in 0..<count { tool.send(0, for: key) }
    #expect(tool.cancel().count == count && tool.keyCount == 0)
  }

  @Test(
    "whatever many threads do, each drop is told once and the counts agree")
  func conservation() async {
    for overlap in [Overlap.keepLatest, .queue(2), .cancelPrevious, .dropNew, .concurrent(2)] {
      let left = CountDown(1)
      let (sent, delivered, dropped) = (Counter(), Counter(), Counter())
      let reports = EventRecorder<Int>()
      let tool = Throttler<Int>(every: .microseconds(5)).handle(overlap: overlap) { value in
        delivered.add()
        if value % 4 == 0 { await Task.yield() }
      }
      tool.onDrop { value, _ in
        reports.record(value)
        dropped.add()
      }
      DispatchQueue.global().async {
        DispatchQueue.concurrentPerform(iterations: 8) { thread in
          for index in 0..<500 * Soak.scale {
            switch index % 16 {
            case 3: tool.flush()
            case 7: tool.cancel()
            case 11: index % 32 == 11 ? tool.suspend() : tool.resume()
            case 13: _ = tool.ticks()
            case 15:
              let counts = tool.statistics
              let sum = counts.delivered + counts.merged + counts.dropped + counts.pending
              if counts.received != sum { Issue.record("\(counts)") }
            default: tool.send(sent.add())
            }
          }
        }
        left.arrive()
      }
      await left.wait()
      await tool.flushAndWait()
      let counts = tool.statistics
      #expect(counts.received == sent.value && counts.pending == 0)
      #expect(counts.received == counts.delivered + counts.merged + counts.dropped)
      #expect(counts.delivered == delivered.value)
      // Reports run on the library's threads, and the last ones may still be in flight.
      let clock = DispatchClock()
      while dropped.value < counts.dropped { try? await clock.sleep(for: .milliseconds(1)) }
      #expect(reports.values.count == counts.dropped && Set(reports.values).count == counts.dropped)
    }
  }
}
