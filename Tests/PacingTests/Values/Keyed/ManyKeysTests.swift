import Pacing
import PacingTesting
import TestSupport
import Testing

/// Operations on all keys process a part of them at a time.
@Suite("Many keys")
struct ManyKeysTests {
  let clock = ManualClock()
  let delivered = EventRecorder<Int>()
  let drops = EventRecorder<Int>()
  let keys = 0..<3_000

  private func debouncer() -> KeyedDebouncer<Int, Int> {
    let tool = KeyedDebouncer<Int, Int>(for: .milliseconds(10), clock: clock) {
      [delivered] key, value in
      #expect(value == -key)
      delivered.record(key)
    }
    tool.onDrop { [drops] change, _ in drops.record(change.key) }
    for key in keys { tool.send(-key, for: key) }
    return tool
  }

  @Test("all are delivered once when they fall due at the same instant")
  func due() {
    let tool = debouncer()
    clock.advance(by: .milliseconds(10))
    #expect(delivered.values == Array(keys))
    #expect(tool.keyCount == 0)
  }

  @Test("a flush delivers all of them")
  func flush() {
    let tool = debouncer()
    #expect(tool.flush())
    clock.advance(by: .zero)
    #expect(delivered.values.sorted() == Array(keys))
  }

  @Test("a cancel returns all of them, those that are decided too")
  func cancel() {
    let tool = debouncer()
    for key in keys.prefix(100) { tool.flush(for: key) }
    let withdrawn = tool.cancel()
    #expect(withdrawn == Dictionary(uniqueKeysWithValues: keys.map { ($0, -$0) }))
    clock.advance(by: .seconds(1))
    #expect(delivered.values.isEmpty && tool.keyCount == 0 && !tool.isPending)
  }

  @Test("a finish delivers all of them or drops all", arguments: [Finish.atOnce, .discard])
  func finish(_ finish: Finish) {
    let tool = debouncer()
    tool.finish(finish)
    clock.advance(by: .zero)
    let (ran, dropped) = (delivered.values.sorted(), drops.values.sorted())
    #expect((finish == .atOnce ? ran : dropped) == Array(keys))
    #expect((finish == .atOnce ? dropped : ran).isEmpty)
  }

  @Test("dropping the tool drops all of them")
  func dropping() {
    _ = debouncer()
    clock.advance(by: .seconds(1))
    #expect(drops.values.sorted() == Array(keys))
    #expect(delivered.values.isEmpty && clock.pendingCount == 0)
  }

  @Test("a wait for all of them ends when the last has been decided")
  func flushAndWait() async {
    let tool = KeyedDebouncer<Int, Int>(for: .milliseconds(10), clock: clock)
    let ticks = tool.ticks()
    for key in keys { tool.send(-key, for: key) }
    let waiting = clock.run { await tool.flushAndWait() }
    clock.runReady()
    #expect(await waiting.value)
    #expect(!tool.isPending && clock.pendingCount == 0)
    withExtendedLifetime(ticks) {}
  }
}
