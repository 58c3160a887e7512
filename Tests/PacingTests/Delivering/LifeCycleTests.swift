import Pacing
import PacingTesting
import TestSupport
import Testing

@Suite("The life of a delivery")
@MainActor
struct LifeCycleTests {
  let log = EventRecorder<String>()

  @Test(
    "what comes and falls due while a handler runs is held, merged, and decided at its end",
    arguments: Bench.Place.allCases, Bench.Kind.allCases)
  func held(place: Bench.Place, kind: Bench.Kind) async {
    let bench = Bench(place, kind)
    let slot = Slot<any ValuePacingTool<String>>()
    let tool = bench.tool { [log, clock = bench.clock] (value: String) in
      log.record("\(value)@\(clock.now.milliseconds)")
      guard value == "a" else { return }
      slot.value?.send("b")
      clock.lapse(by: .milliseconds(250))
      slot.value?.send("c")
      log.record("end@\(clock.now.milliseconds)")
    }
    slot.put(tool)
    tool.send("a")
    #expect(log.values.isEmpty, "never on the caller's stack")
    await bench.run()
    #expect(log.values == ["a@0", "end@250", "c@250"])
    await bench.runWindow()
    tool.send("d")
    await bench.run()
    #expect(log.values.last == "d@350", "the window opened at 250")
    slot.put(nil)
    bench.end()
  }

  @Test(
    "cancel withdraws what is decided and what is pending, returns the newest; neither ever runs",
    arguments: Bench.Place.allCases, Bench.Kind.allCases)
  func cancel(place: Bench.Place, kind: Bench.Kind) async {
    let bench = Bench(place, kind)
    let tool = bench.tool { [log] (value: String) in log.record(value) }
    #expect(tool.cancel() == nil)
    tool.send("a")
    bench.clock.advance(by: .milliseconds(0))
    if place == .shared { await bench.runWindow() }
    tool.send("b")
    #expect(tool.isPending)
    #expect(tool.cancel() == "b")
    #expect(!tool.isPending && tool.cancel() == nil)
    #expect(bench.clock.pendingCount == 0)
    await bench.runWindow()
    #expect(log.values == (place == .shared ? ["a"] : []))
    tool.send("c")
    tool.send("d")
    #expect(tool.cancel() == "d", "one decided, one pending")
    await bench.runWindow()
    tool.send("e")
    await bench.runWindow()
    #expect(log.values.last == "e")
    #expect(!log.values.contains("c") && !log.values.contains("d"))
    bench.end()
  }

  @Test(
    "a withdrawn delivery's place in the queue serves the next one, which runs once",
    arguments: Bench.Place.allCases, Bench.Kind.allCases)
  func reusedPlace(place: Bench.Place, kind: Bench.Kind) async {
    let bench = Bench(place, kind)
    let tool = bench.tool { [log] (value: String) in log.record(value) }
    for value in ["a", "b", "c"] {
      tool.send(value)
      #expect(tool.cancel() == value)
      bench.clock.lapse(by: .milliseconds(100))
    }
    tool.send("d")
    await bench.runWindow()
    #expect(log.values == ["d"])
    bench.end()
  }

  @Test(
    "every method can be called from inside the handler",
    arguments: Bench.Place.allCases, Bench.Kind.allCases)
  func insideTheHandler(place: Bench.Place, kind: Bench.Kind) async {
    let bench = Bench(place, kind)
    let slot = Slot<any ValuePacingTool<String>>()
    let tool = bench.tool { [log] (value: String) in
      log.record(value)
      guard let tool = slot.value, value == "a" else { return }
      log.record("\(tool.isPending) \(tool.flush()) \(tool.cancel() ?? "nil")")
      tool.send("b")
      log.record("\(tool.isPending) \(tool.cancel() ?? "nil") \(tool.isPending)")
      tool.send("c")
      log.record("\(tool.flush()) \(tool.isPending)")
      tool.send("d")
      _ = tool.ticks()
      tool.finish()
      tool.send("e")
      log.record("end")
    }
    slot.put(tool)
    tool.send("a")
    await bench.run()
    #expect(log.values == ["a", "false false nil", "true b false", "true true", "end", "d"])
    await bench.runWindow()
    #expect(log.values.count == 6)
    #expect(!tool.isPending && bench.clock.pendingCount == 0)
    slot.put(nil)
    bench.end()
  }

  @Test(
    "flush decides now, once, in its place in the order",
    arguments: Bench.Place.allCases, Bench.Kind.allCases)
  func flush(place: Bench.Place, kind: Bench.Kind) async {
    let bench = Bench(place, kind)
    let tool = bench.tool { [log, clock = bench.clock] (value: String) in
      log.record("\(value)@\(clock.now.milliseconds)")
    }
    #expect(!tool.flush())
    tool.send("a")
    tool.send("b")
    #expect(tool.flush() && tool.flush(), "a is on its way, so b is held, and still due")
    #expect(log.values.isEmpty)
    await bench.run()
    #expect(!tool.flush())
    await bench.runWindow()
    #expect(log.values == ["a@0", "b@0"])
    bench.end()
  }

  @Test(
    "dropping the tool drops what is pending; what is decided, or left by finish, runs",
    arguments: Bench.Place.allCases, Bench.Kind.allCases)
  func drop(place: Bench.Place, kind: Bench.Kind) async {
    let bench = Bench(place, kind)
    weak var dropped: (any ValuePacingTool<String>)?
    weak var captured: Burden?
    for isFinished in [false, true] {
      do {
        let burden = Burden("captured") {}
        let tool = bench.tool { [log] (value: String) in
          withExtendedLifetime(burden) { log.record(value) }
        }
        (dropped, captured) = (tool, burden)
        tool.send("decided")
        tool.send("pending")
        if isFinished { tool.finish() }
      }
      #expect(dropped == nil, "neither the handler nor the clock keeps it")
      #expect(captured != nil)
      await bench.run()
      await bench.runWindow()
      #expect(log.takeAll() == (isFinished ? ["decided", "pending"] : ["decided"]))
      #expect(captured == nil && bench.clock.pendingCount == 0)
    }
    bench.end()
  }

  @Test(
    "the last reference can go inside the handler",
    arguments: Bench.Place.allCases, Bench.Kind.allCases)
  func dropInside(place: Bench.Place, kind: Bench.Kind) async {
    let bench = Bench(place, kind)
    let slot = Slot<any ValuePacingTool<String>>()
    slot.put(
      bench.tool { [log] (value: String) in
        log.record(value)
        slot.value?.send("b")
        slot.put(nil)
      })
    weak let dropped = slot.value
    slot.value?.send("a")
    await bench.run()
    #expect(dropped == nil)
    await bench.runWindow()
    #expect(log.values == ["a"])
    #expect(bench.clock.pendingCount == 0)
    bench.end()
  }

  @Test(
    "finish decides what is pending, late, at once or not at all, and takes nothing more",
    arguments: Bench.Kind.allCases, [Finish.whenDue, .atOnce, .discard])
  func finish(kind: Bench.Kind, finish: Finish) async {
    let bench = Bench(.queue, kind)
    let tool = bench.tool { [log, clock = bench.clock] (value: String) in
      log.record("\(value)@\(clock.now.milliseconds)")
    }
    tool.send("a")
    await bench.run()
    tool.send("b")
    tool.finish(finish)
    tool.send("c")
    await bench.run()
    await bench.runWindow()
    let isLate = finish == .whenDue
    #expect(log.values == ["a@0"] + (finish == .discard ? [] : [isLate ? "b@100" : "b@0"]))
    #expect(!tool.isPending && !tool.flush() && tool.cancel() == nil)
    var ticks = tool.ticks().makeAsyncIterator()
    #expect(await ticks.next() == nil)
    bench.end()
  }
}
