import Pacing
import PacingTesting
import TestSupport
import Testing

@Suite("Entries that are as lazy as on the system's clock")
struct LazyEntryTests {
  private let clock = ManualClock(isLazy: true)

  @Test("a timer keeps its entry while it is suspended, and loses it when it is cancelled")
  func suspended() {
    let ticks = EventRecorder<Int>()
    let timer = DispatchTimer(.every(.seconds(1)), clock: clock) { [clock] _ in
      ticks.record(clock.now.milliseconds)
    }
    timer.start()
    timer.suspend()
    #expect(clock.pendingCount == 1)
    clock.advance(by: .milliseconds(500))
    timer.resume()
    #expect(clock.pendingCount == 1)
    clock.advance(by: .milliseconds(1_000))
    #expect(ticks.values == [1_500])
    timer.cancel()
    #expect(clock.pendingCount == 0)
  }

  @Test("an entry that nothing needs fires once, in vain")
  func fires() {
    let sent = EventRecorder<Int>()
    let debouncer = Debouncer<Int>(for: .seconds(1), clock: clock) { sent.record($0) }
    debouncer.send(1)
    debouncer.cancel()
    #expect(clock.pendingCount == 1)
    clock.advance(by: .seconds(1))
    #expect(clock.pendingCount == 0 && sent.values.isEmpty)
  }

  @Test("a key's later deadline is met, though only the earlier one is known")
  func keys() {
    let sent = EventRecorder<Int>()
    let debouncer = KeyedDebouncer<Int, Int>(for: .milliseconds(10), clock: clock) {
      [clock] _, value in sent.record(value * 100 + clock.now.milliseconds)
    }
    debouncer.send(1, for: 0)
    clock.advance(by: .milliseconds(5))
    debouncer.send(2, for: 0)
    #expect(clock.nextDeadline?.milliseconds == 10)
    clock.advance(by: .milliseconds(9))
    #expect(sent.values.isEmpty && debouncer.keyCount == 1)
    clock.advance(by: .milliseconds(1))
    #expect(sent.values == [215] && debouncer.keyCount == 0)
  }

  @Test("the key that makes room is the one due next, whatever was due before")
  func room() {
    let sent = EventRecorder<Int>()
    let debouncer = KeyedDebouncer<Int, Int>(
      for: .milliseconds(10), maximumKeys: 2, whenFull: .makeRoom,
      clock: clock
    ) { _, value in sent.record(value) }
    debouncer.send(1, for: 1)
    clock.advance(by: .milliseconds(1))
    debouncer.send(2, for: 2)
    debouncer.send(3, for: 1)
    debouncer.send(4, for: 3)
    clock.runReady()
    #expect(sent.values == [2])
  }

  @Test("a dropped tool leaves no entry behind")
  func dropped() {
    do {
      let debouncer = Debouncer<Int>(for: .seconds(1), clock: clock) { _ in }
      debouncer.send(1)
      debouncer.cancel()
      let keyed = KeyedDebouncer<Int, Int>(for: .seconds(1), clock: clock) { _, _ in }
      keyed.send(1, for: 1)
      keyed.suspend()
      let timer = DispatchTimer.scheduled(every: .seconds(1), clock: clock) { _ in }
      timer.suspend()
    }
    #expect(clock.pendingCount == 0)
  }
}
