import Pacing
import PacingTesting
import TestSupport
import Testing

/// A user's value may run any code in its deinitialiser: here each calls its tool back.
///
/// If one were released under a lock, its test would not end.
@Suite("Values that call back when they are released")
@MainActor
struct ReleaseTests {
  let released = EventRecorder<String>()
  let slot = Slot<any ValuePacingTool<Burden>>()

  private func burden(_ name: String) -> Burden {
    Burden(name) { [released, slot] in
      released.record(name)
      guard let tool = slot.value else { return }
      _ = (tool.isPending, tool.flush(), tool.cancel(), tool.ticks())
    }
  }

  private func bench(_ kind: Bench.Kind) -> Bench {
    let bench = Bench(.shared, kind)
    slot.put(bench.tool { (_: Burden) in })
    return bench
  }

  @Test("a value that another replaces, or that is not taken", arguments: Bench.Kind.allCases)
  func replaced(kind: Bench.Kind) async {
    let bench = bench(kind)
    slot.value?.send(Burden("a") {})
    await bench.run()
    slot.value?.send(burden("b"))
    slot.value?.send(burden("c"))
    #expect(released.takeAll() == ["b", "c"], "b goes, and cancels c")
    slot.value?.finish()
    slot.value?.send(burden("d"))
    #expect(released.takeAll() == ["d"])
    slot.put(nil)
    bench.end()
  }

  @Test("a value that is withdrawn, decided or pending", arguments: Bench.Kind.allCases, 0..<4)
  func withdrawn(kind: Bench.Kind, way: Int) async {
    let bench = bench(kind)
    var ticks = [AsyncStream<Burden>]()
    if way == 3 { ticks = (0..<2).map { _ in slot.value!.ticks() } }
    slot.value?.send(burden("decided"))
    slot.value?.send(burden("pending"))
    switch way {
    case 0: slot.value?.cancel()
    case 1: slot.value?.finish(.discard)
    case 2: slot.put(nil)
    default: slot.value?.cancel()
    }
    await bench.runWindow()
    #expect(Set(released.values) == ["decided", "pending"])
    #expect(released.values.count == 2 && ticks.count == (way == 3 ? 2 : 0))
    slot.put(nil)
    bench.end()
  }

  @Test("a value in the mailbox of a stream: replaced, taken, or left there", arguments: 0..<4)
  func mailbox(way: Int) async {
    let clock = ManualClock()
    slot.put(Debouncer<Burden>(for: .milliseconds(100), clock: clock))
    var ticks: AsyncStream<Burden>? = slot.value?.ticks()
    slot.value?.send(burden("a"))
    clock.advance(by: .milliseconds(100))
    #expect(released.values.isEmpty)
    switch way {
    case 0: ticks = nil
    case 1:
      slot.value?.send(burden("b"))
      clock.advance(by: .milliseconds(100))
      #expect(released.values.first == "a")
    case 2:
      var iterator = ticks?.makeAsyncIterator()
      #expect(await iterator?.next()?.name == "a")
    default:
      let task = Task { [ticks] in
        withUnsafeCurrentTask { $0?.cancel() }
        for await _ in ticks! { Issue.record("cancelled before") }
      }
      await task.value
    }
    #expect(released.values.first == "a")
    ticks = nil
    slot.put(nil)
    #expect(released.values == (way == 1 ? ["a", "b"] : ["a"]))
    #expect(clock.pendingCount == 0)
  }

  @Test("what a handler has captured, when its timer is cancelled or has ticked for the last time")
  func handler() {
    let clock = ManualClock()
    let slot = Slot<DispatchTimer>()
    for isCancelled in [true, false] {
      do {
        let burden = Burden("captured") { [released] in
          released.record("captured")
          _ = (slot.value?.fireNow(), slot.value?.cancel(), slot.value?.state)
        }
        slot.put(.scheduled(after: .seconds(1), clock: clock) { withExtendedLifetime(burden) {} })
      }
      if isCancelled { slot.value?.cancel() } else { clock.advance(by: .seconds(1)) }
      #expect(released.takeAll() == ["captured"])
    }
    slot.put(nil)
  }

  @Test("what a handler has captured is there when its last value is reported as dropped")
  func reported() {
    let clock = ManualClock()
    do {
      let burden = Burden("captured") { [released] in released.record("captured") }
      let tool = Debouncer<Int>(for: .seconds(1), clock: clock) { _ in
        withExtendedLifetime(burden) {}
      }
      tool.onDrop { [released, weak burden] _, _ in
        released.record(burden == nil ? "late" : "dropped")
      }
      tool.send(1)
    }
    clock.advance(by: .zero)
    #expect(released.takeAll() == ["dropped", "captured"])
  }
}
