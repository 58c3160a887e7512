import Pacing
import PacingTesting
import TestSupport
import Testing

/// Random runs of a keyed tool against one naive model per key; a failure names its seed.
@Suite("Laws of keyed tools")
struct KeyedLawTests {
  private struct Entry: Hashable {
    let value: Int
    let time: Int
  }

  private func check<Model: NaiveModel>(
    seed: UInt64, _ model: Model, _ generator: inout SplitMix64,
    _ make: (ManualClock, @escaping @Sendable (Int, Int) -> Void) -> some KeyedPacingTool<Int, Int>
  ) {
    for isLazy in [false, true] {
      var generator = generator
      check(seed: seed, model, &generator, ManualClock(isLazy: isLazy), make)
    }
  }

  private func check<Model: NaiveModel>(
    seed: UInt64, _ model: Model, _ generator: inout SplitMix64, _ clock: ManualClock,
    _ make: (ManualClock, @escaping @Sendable (Int, Int) -> Void) -> some KeyedPacingTool<Int, Int>
  ) {
    let log = EventRecorder<(key: Int, entry: Entry)>()
    let tool = make(clock) { key, value in
      log.record((key, Entry(value: value, time: clock.now.milliseconds)))
    }
    let keys = 0..<Int.random(in: 1...5, using: &generator)
    var models = keys.map { _ in model }
    var expected = keys.map { _ in [Entry]() }
    func note(_ key: Int, flushing: Bool = false) {
      guard let held = models[key].held else { return }
      let time = clock.now.milliseconds
      expected[key].append(Entry(value: held, time: time))
      flushing ? models[key].flush(at: time) : models[key].deliver(at: time)
    }
    func settle() {
      for key in keys {
        while let due = models[key].dueTime, due <= clock.now.milliseconds { note(key) }
      }
    }
    for step in 0..<60 {
      let key = keys.randomElement(using: &generator)!
      switch Int.random(in: 0..<14, using: &generator) {
      case 0...6:
        settle()
        models[key].send(step, at: clock.now.milliseconds)
        settle()
        tool.send(step, for: key)
      case 7:
        settle()
        #expect(tool.flush(for: key) == (models[key].held != nil), "seed \(seed), step \(step)")
        note(key, flushing: true)
      case 8:
        settle()
        #expect(tool.flush() == models.contains { $0.held != nil }, "seed \(seed), step \(step)")
        for key in keys { note(key, flushing: true) }
      case 9:
        #expect(tool.cancel(for: key) == models[key].held, "seed \(seed), step \(step)")
        models[key].cancel()
      case 10 where step.isMultiple(of: 4):
        let held = keys.compactMap { key in models[key].held.map { (key, $0) } }
        let withdrawn = Dictionary(uniqueKeysWithValues: held)
        #expect(tool.cancel() == withdrawn, "seed \(seed), step \(step)")
        for key in keys { models[key].cancel() }
      case 11:
        clock.lapse(by: .milliseconds(Int.random(in: 0..<30, using: &generator)))
        continue
      default:
        for _ in 0..<Int.random(in: 0..<30, using: &generator) {
          settle()
          clock.advance(by: .milliseconds(1))
          settle()
        }
      }
      clock.runReady()
      let counts = tool.statistics
      let isRight =
        keys.map { tool.pending(for: $0) } == models.map(\.held)
        && counts.pending == models.count { $0.held != nil }
        && counts.received == counts.delivered + counts.merged + counts.dropped + counts.pending
      if !isRight { Issue.record("seed \(seed), step \(step): \(counts)") }
    }
    for key in keys {
      let entries = log.values.filter { $0.key == key }.map(\.entry)
      #expect(entries == expected[key], "seed \(seed), key \(key)")
    }
    if seed.isMultiple(of: 2) { tool.finish() }
    clock.advance(by: .seconds(1))
    #expect(tool.keyCount == 0 && clock.pendingCount == 0 && !tool.isPending, "seed \(seed)")
  }

  @Test(
    "each key of a debouncer does what a model of its own does", arguments: Soak.portions(1_000))
  func debounce(seeds: ClosedRange<UInt64>) {
    for seed in seeds {
      var generator = SplitMix64(seed: seed)
      let wait = Int.random(in: 0...20, using: &generator)
      let limit = Int.random(in: 0...100, using: &generator)
      let maximumWait = limit <= 50 ? limit : nil
      let edges = [Edges.leading, .trailing, .both].randomElement(using: &generator)!
      let model = NaiveDebounce(wait: wait, maximumWait: maximumWait, edges: edges)
      check(seed: seed, model, &generator) { clock, handler in
        KeyedDebouncer<Int, Int>(
          for: .milliseconds(wait), edges: edges,
          maximumWait: maximumWait.map { .milliseconds($0) }, clock: clock, handler: handler)
      }
    }
  }

  @Test(
    "each key of a throttler does what a model of its own does", arguments: Soak.portions(1_000))
  func throttle(seeds: ClosedRange<UInt64>) {
    for seed in seeds {
      var generator = SplitMix64(seed: seed)
      let interval = Int.random(in: 0...20, using: &generator)
      let edges = [Edges.leading, .trailing, .both].randomElement(using: &generator)!
      let keepsFirst = Bool.random(using: &generator)
      let model = NaiveThrottle(interval: interval, edges: edges, keepsFirst: keepsFirst)
      check(seed: seed, model, &generator) { clock, handler in
        KeyedThrottler<Int, Int>(
          every: .milliseconds(interval), edges: edges, keeping: keepsFirst ? .first : .latest,
          clock: clock, handler: handler)
      }
    }
  }

  @Test(
    "a limit of keys holds, and drops nothing in silence", arguments: Soak.portions(500),
    [false, true])
  func limit(seeds: ClosedRange<UInt64>, isFlushing: Bool) {
    for seed in seeds {
      var generator = SplitMix64(seed: seed)
      let clock = ManualClock()
      let delivered = EventRecorder<Int>()
      let drops = EventRecorder<Int>()
      let maximum = Int.random(in: 1...4, using: &generator)
      let edges = [Edges.leading, .trailing, .both].randomElement(using: &generator)!
      let isThrottling = Bool.random(using: &generator)
      let whenFull = isFlushing ? WhenFull.makeRoom : .refuse
      let handler: @Sendable (Int, Int) -> Void = { _, value in delivered.record(value) }
      let tool: any KeyedPacingTool<Int, Int> =
        isThrottling
        ? KeyedThrottler(
          every: .milliseconds(10), edges: edges, maximumKeys: maximum, whenFull: whenFull,
          clock: clock, handler: handler)
        : KeyedDebouncer(
          for: .milliseconds(10), edges: edges, maximumKeys: maximum, whenFull: whenFull,
          clock: clock, handler: handler)
      let isObserved = EventRecorder<DropReason>()
      tool.onDrop { change, reason in
        drops.record(change.value)
        isObserved.record(reason)
      }
      for step in 0..<60 {
        switch Int.random(in: 0..<4, using: &generator) {
        case 0: clock.advance(by: .milliseconds(Int.random(in: 0..<8, using: &generator)))
        case 1: clock.lapse(by: .milliseconds(Int.random(in: 0..<8, using: &generator)))
        default: tool.send(step, for: Int.random(in: 0..<8, using: &generator))
        }
        clock.runReady()
        if tool.keyCount > maximum { Issue.record("seed \(seed), step \(step)") }
      }
      clock.advance(by: .seconds(1))
      let counts = tool.statistics
      let (values, dropped) = (delivered.values, drops.values)
      #expect(counts.received == counts.delivered + counts.merged + counts.dropped, "seed \(seed)")
      #expect(counts.delivered == values.count && counts.dropped == dropped.count, "seed \(seed)")
      #expect(
        counts.dropped(.overflow) + counts.dropped(.edge) == counts.dropped
          && isObserved.values.count { $0 == .overflow } == counts.dropped(.overflow),
        "seed \(seed)")
      #expect(!isFlushing || counts.dropped(.overflow) == 0, "seed \(seed)")
      #expect(Set(values + dropped).count == values.count + dropped.count, "seed \(seed)")
      #expect(tool.keyCount == 0 && clock.pendingCount == 0, "seed \(seed)")
    }
  }
}
