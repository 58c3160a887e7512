import Pacing
import PacingTesting
import TestSupport
import Testing

/// More is due than one hold of a tool's lock decides, and a call comes before the late timer.
@Suite("Much that is due")
struct ManyDueTests {
  private struct Fault: Error {}

  let clock = ManualClock()
  let log = EventRecorder<String>()

  @Test("is decided before a value that comes later")
  func value() {
    let tool = KeyedDebouncer<Int, Int>(for: .milliseconds(100), clock: clock) {
      [log, clock] key, value in
      if key == 999 { log.record("\(value) at \(clock.now.milliseconds)") }
    }
    for key in 0..<1_000 { tool.send(1, for: key) }
    clock.lapse(by: .milliseconds(100))
    tool.send(2, for: 999)
    clock.advance(by: .milliseconds(100))
    #expect(log.values == ["1 at 100", "2 at 200"])
  }

  @Test("is decided before the tool is suspended or finished", arguments: [true, false])
  func verb(suspends: Bool) {
    let delivered = Counter()
    let tool = KeyedDebouncer<Int, Int>(for: .milliseconds(100), clock: clock) { _, _ in
      delivered.add()
    }
    for key in 0..<1_000 { tool.send(1, for: key) }
    clock.lapse(by: .milliseconds(100))
    suspends ? tool.suspend() : tool.finish(.discard)
    clock.advance(by: .zero)
    #expect(delivered.value == 1_000)
  }

  @Test("is flushed at once, however late the timers are", arguments: [true, false])
  func flush(hasHandler: Bool) async {
    let delivered = Counter()
    let tool =
      hasHandler
      ? KeyedDebouncer<Int, Int>(for: .seconds(1), clock: clock) { _, _ in delivered.add() }
      : KeyedDebouncer<Int, Int>(for: .seconds(1), clock: clock)
    let ticks = tool.ticks()
    for key in 0..<1_000 { tool.send(1, for: key) }
    clock.lapse(by: .milliseconds(50))
    await tool.flushAndWait()
    #expect(delivered.value == (hasHandler ? 1_000 : 0))
    #expect(!tool.isPending)
    withExtendedLifetime(ticks) {}
  }

  @Test("is decided before its tool is dropped if it was flushed or resumed", arguments: 0..<3)
  func dropped(way: Int) {
    let delivered = Counter()
    var tool: KeyedDebouncer<Int, Int>? = KeyedDebouncer(for: .seconds(1), clock: clock) { _, _ in
      delivered.add()
    }
    for key in 0..<1_000 { tool?.send(1, for: key) }
    switch way {
    case 0: tool?.flush()
    case 1:
      tool?.suspend()
      clock.lapse(by: .seconds(1))
      tool?.resume()
    default: tool?.finish(.atOnce)
    }
    tool = nil
    clock.advance(by: .zero)
    #expect(delivered.value == 1_000)
  }

  @Test("is decided before an error of upstream ends a delayed sequence")
  func error() {
    let source = Source<Int, Fault>()
    let got = Counter()
    let failed = Counter()
    let delayed = source.delayed(by: .milliseconds(10), clock: clock)
    let task = clock.run {
      var elements = delayed.makeAsyncIterator()
      for number in 0..<1_000 { source.send(number) }
      try? await clock.sleep(for: .seconds(1))
      do {
        while try await elements.next() != nil { got.add() }
      } catch {
        failed.add()
      }
    }
    clock.runReady()
    clock.lapse(by: .milliseconds(10))
    source.finish(throwing: Fault())
    clock.advance(by: .seconds(1))
    #expect(got.value == 1_000 && failed.value == 1)
    task.cancel()
  }
}
