import Dispatch
import Pacing
import TestSupport
import Testing

@Suite("Real time", .alone)
struct RealTimeTests {
  @Test("the last of 50 calls from one thread is delivered last, 200 times over")
  func order() async {
    for _ in 0..<200 {
      let debouncer = Debouncer<Int>(for: .milliseconds(2))
      var ticks = debouncer.ticks().makeAsyncIterator()
      for value in 0..<50 { debouncer.send(value) }
      debouncer.finish()
      var last: Int?
      while let value = await ticks.next() { last = value }
      #expect(last == 49)
    }
  }

  @Test("a timer ticks, never early, in order")
  func ticks() async {
    var index = 0
    for await tick in DispatchTimer.ticks(.every(.milliseconds(2), first: .now)) {
      #expect(tick.actual >= tick.scheduled)
      index += tick.missed
      #expect(tick.index == index)
      index += 1
      if index > 50 { break }
    }
  }

  @Test("handlers of many debouncers run, from many threads")
  func manyThreads() async {
    let count = Counter()
    await withTaskGroup(of: Void.self) { group in
      for _ in 0..<8 {
        group.addTask {
          for _ in 0..<100 {
            await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
              let debouncer = Debouncer<Int>(for: .seconds(60)) { _ in
                count.add()
                continuation.resume()
              }
              debouncer.send(1)
              debouncer.send(2)
              debouncer.finish()
            }
          }
        }
      }
    }
    #expect(count.value == 800)
  }

  @Test("a sleep ends after its deadline, or with its task")
  func sleep() async throws {
    let clock = DispatchClock()
    let start = clock.now
    try await clock.sleep(for: .milliseconds(3))
    #expect(start.duration(to: clock.now) >= .milliseconds(3))
    let task = Task { try await clock.sleep(for: .seconds(3600)) }
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
  }

  @Test("the coarse clock shows what the exact one has shown already, and sleeps long enough")
  func coarse() async throws {
    let (exact, coarse) = (DispatchClock.dispatch, DispatchClock.coarse)
    var last = coarse.now
    for _ in 0..<10_000 {
      let now = coarse.now
      #expect(last <= now && now <= exact.now)
      last = now
    }
    try await coarse.sleep(for: .milliseconds(3))
    #expect(last.duration(to: coarse.now) >= .milliseconds(3))
  }

  @Test("a timer that is put forward ticks at its new time, and goes on from there")
  func putForward() async {
    let ticked = CountDown(3)
    let timer = DispatchTimer.scheduled(every: .seconds(3600)) { _ in ticked.arrive() }
    timer.reschedule(every: .milliseconds(1))
    await ticked.wait()
    withExtendedLifetime(timer) {}
  }
}
