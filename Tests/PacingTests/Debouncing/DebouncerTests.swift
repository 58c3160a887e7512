import Pacing
import PacingTesting
import Synchronization
import Testing

@Suite("Debouncer")
struct DebouncerTests {
  @Test("delivers the last value once it is quiet")
  func deliversTheLastValue() async {
    let clock = ManualClock()
    let delivered = Mutex<[String]>([])
    let debouncer = Debouncer<String>(for: .milliseconds(300), clock: clock) { value in
      delivered.withLock { $0.append(value) }
    }
    debouncer.send("s")
    clock.advance(by: .milliseconds(299))
    debouncer.send("swift")
    clock.advance(by: .milliseconds(299))
    #expect(delivered.withLock { $0 } == [])
    clock.advance(by: .milliseconds(1))
    #expect(delivered.withLock { $0 } == ["swift"])
    #expect(clock.pendingCount == 0)
    var ticks = debouncer.ticks().makeAsyncIterator()
    debouncer.send("a")
    clock.advance(by: .milliseconds(300))
    #expect(await ticks.next() == "a")
    debouncer.finish()
    #expect(await ticks.next() == nil)
  }
}
