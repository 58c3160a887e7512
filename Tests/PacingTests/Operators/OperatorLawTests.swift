import Pacing
import PacingTesting
import TestSupport
import Testing

/// Random runs of each operator against its tool or a naive model, with occasional late timers.
@Suite("Laws of the operators")
struct OperatorLawTests {
  typealias Base = Source<Int, Fault>
  typealias Events<Output: Sendable & Equatable> = [OperatorStage<Int, Output>.Event]
  typealias Handler<Output> = @Sendable (Output) -> Void

  /// The verbs through which a script drives the tool.
  struct Tool {
    let send: (Int) -> Void
    let finish: (Finish) -> Void
  }

  private enum Act {
    case send(Int)
    case lapse(Int)
    case advance(Int)
  }

  /// A random script, and how it ends.
  private struct Script {
    let acts: [Act]
    let isFailing: Bool
    let policy: Finish

    /// The instant of its end, in milliseconds.
    var end: Int {
      acts.reduce(0) { time, act in
        switch act {
        case .send: time
        case .lapse(let span), .advance(let span): time + span
        }
      }
    }

    init(_ generator: inout SplitMix64) {
      acts = (0..<30).map { step in
        switch Int.random(in: 0..<10, using: &generator) {
        case 0...5: .send(step)
        case 6: .lapse(Int.random(in: 0..<30, using: &generator))
        default: .advance(Int.random(in: 0..<30, using: &generator))
        }
      }
      isFailing = Bool.random(using: &generator)
      policy = [.whenDue, .atOnce, .discard].randomElement(using: &generator)!
    }
  }

  /// The element and time of each delivery, and the failures, if the last event is one.
  private func run<Operated: AsyncSequence & Sendable>(
    _ script: Script, on operated: (Base, ManualClock, Finish, Finish) -> Operated
  ) -> [OperatorStage<Int, Operated.Element>.Event]
  where Operated.Element: Equatable & Sendable {
    let policies = script.isFailing ? (Finish.whenDue, script.policy) : (script.policy, .discard)
    let stage = OperatorStage { operated($0, $1, policies.0, policies.1) }
    for act in script.acts {
      switch act {
      case .send(let value): stage.send(value)
      case .lapse(let span): stage.clock.lapse(by: .milliseconds(span))
      case .advance(let span): stage.advance(by: span)
      }
    }
    stage.finish(throwing: script.isFailing ? Fault() : nil)
    stage.advance(by: 250)
    #expect(stage.clock.pendingCount == 0 && stage.source.isReleased)
    return stage.events
  }

  private func run<Output: Sendable>(
    _ script: Script, on make: (ManualClock, @escaping Handler<Output>) -> Tool
  ) -> [OperatorStage<Int, Output>.Event] {
    let clock = ManualClock()
    let log = EventRecorder<OperatorStage<Int, Output>.Event>()
    let tool = make(clock) { log.record(.element($0, at: clock.now.milliseconds)) }
    for act in script.acts {
      switch act {
      case .send(let value):
        tool.send(value)
        clock.runReady()
      case .lapse(let span): clock.lapse(by: .milliseconds(span))
      case .advance(let span):
        clock.advance(by: .zero)
        for _ in 0..<span { clock.advance(by: .milliseconds(1)) }
      }
    }
    tool.finish(script.policy)
    clock.runReady()
    for _ in 0..<250 { clock.advance(by: .milliseconds(1)) }
    return log.values
  }

  /// Compares an operator's elements with the deliveries of its tool, and checks its end.
  private func check<Operated: AsyncSequence & Sendable>(
    _ seed: UInt64, _ generator: inout SplitMix64,
    endsInAnyOrder: Bool = false,
    _ operated: (Base, ManualClock, Finish, Finish) -> Operated,
    _ tool: (ManualClock, @escaping Handler<Operated.Element>) -> Tool
  ) where Operated.Element: Equatable & Sendable {
    let script = Script(&generator)
    var events = run(script, on: operated)
    let end = events.popLast()
    var expected = run(script, on: tool)
    if endsInAnyOrder {
      events = sorting(events, from: script.end)
      expected = sorting(expected, from: script.end)
    }
    #expect(events == expected, "seed \(seed)")
    switch end {
    case .end: #expect(!script.isFailing, "seed \(seed)")
    case .fault: #expect(script.isFailing, "seed \(seed)")
    default: Issue.record("no end, seed \(seed)")
    }
  }

  private func span(_ range: ClosedRange<Int>, _ generator: inout SplitMix64) -> Duration {
    .milliseconds(Int.random(in: range, using: &generator))
  }

  private func edges(_ generator: inout SplitMix64) -> Edges {
    [Edges.leading, .trailing, .both].randomElement(using: &generator)!
  }

  private func keep(_ generator: inout SplitMix64) -> Keep<Int> {
    [Keep.latest, .first, .reducing(+)].randomElement(using: &generator)!
  }

  private func rule(_ generator: inout SplitMix64) -> (@Sendable (Int) -> Duration?)? {
    guard Bool.random(using: &generator) else { return nil }
    return { $0.isMultiple(of: 3) ? .milliseconds($0) : nil }
  }

  @Test("debounced(for:) delivers what a debouncer does", arguments: Soak.portions(200))
  func debounced(seeds: ClosedRange<UInt64>) {
    for seed in seeds {
      var generator = SplitMix64(seed: seed)
      let wait = span(0...20, &generator)
      let maximumWait = Bool.random(using: &generator) ? span(0...50, &generator) : nil
      let edges = edges(&generator)
      let (keep, rule) = (keep(&generator), rule(&generator))
      check(seed, &generator) { base, clock, atEnd, onError in
        base.debounced(
          for: wait, edges: edges, maximumWait: maximumWait, keeping: keep, varying: rule,
          atEnd: atEnd, onError: onError, clock: clock)
      } _: { clock, handler in
        let tool = Debouncer<Int>(
          for: wait, edges: edges, maximumWait: maximumWait, keeping: keep, varying: rule,
          clock: clock, handler: handler)
        return Tool(send: tool.send, finish: tool.finish)
      }
    }
  }

  @Test("throttled(every:) delivers what a throttler does", arguments: Soak.portions(200))
  func throttled(seeds: ClosedRange<UInt64>) {
    for seed in seeds {
      var generator = SplitMix64(seed: seed)
      let interval = span(0...20, &generator)
      let edges = edges(&generator)
      let (keep, rule) = (keep(&generator), rule(&generator))
      check(seed, &generator) { base, clock, atEnd, onError in
        base.throttled(
          every: interval, edges: edges, keeping: keep, varying: rule, atEnd: atEnd,
          onError: onError, clock: clock)
      } _: { clock, handler in
        let tool = Throttler<Int>(
          every: interval, edges: edges, keeping: keep, varying: rule, clock: clock,
          handler: handler)
        return Tool(send: tool.send, finish: tool.finish)
      }
    }
  }

  @Test("debounced(for:by:) delivers what a keyed debouncer does", arguments: Soak.portions(100))
  func debouncedByKey(seeds: ClosedRange<UInt64>) {
    for seed in seeds {
      var generator = SplitMix64(seed: seed)
      let wait = span(0...20, &generator)
      let maximumWait = Bool.random(using: &generator) ? span(0...50, &generator) : nil
      let (edges, keep) = (edges(&generator), keep(&generator))
      let keys = Int.random(in: 1...5, using: &generator)
      let maximum = Int.random(in: 1...5, using: &generator)
      check(seed, &generator) { base, clock, atEnd, onError in
        base.debounced(
          for: wait, by: { $0 % keys }, edges: edges, maximumWait: maximumWait, keeping: keep,
          maximumKeys: maximum, whenFull: .makeRoom, atEnd: atEnd, onError: onError, clock: clock)
      } _: { clock, handler in
        let tool = KeyedDebouncer<Int, Int>(
          for: wait, edges: edges, maximumWait: maximumWait, keeping: keep, maximumKeys: maximum,
          whenFull: .makeRoom,
          clock: clock)
        return byKey(tool, keys, clock, handler)
      }
    }
  }

  @Test("throttled(every:by:) delivers what a keyed throttler does", arguments: Soak.portions(100))
  func throttledByKey(seeds: ClosedRange<UInt64>) {
    for seed in seeds {
      var generator = SplitMix64(seed: seed)
      let interval = span(0...20, &generator)
      let (edges, keep) = (edges(&generator), keep(&generator))
      let keys = Int.random(in: 1...5, using: &generator)
      let maximum = Int.random(in: 1...5, using: &generator)
      check(seed, &generator) { base, clock, atEnd, onError in
        base.throttled(
          every: interval, by: { $0 % keys }, edges: edges, keeping: keep, maximumKeys: maximum,
          whenFull: .makeRoom,
          atEnd: atEnd, onError: onError, clock: clock)
      } _: { clock, handler in
        let tool = KeyedThrottler<Int, Int>(
          every: interval, edges: edges, keeping: keep, maximumKeys: maximum, whenFull: .makeRoom,
          clock: clock)
        return byKey(tool, keys, clock, handler)
      }
    }
  }

  /// A keyed tool behind a stream, as in an operator's state: no delivery is ever in flight.
  private func byKey(
    _ tool: some KeyedPacingTool<Int, Int>, _ keys: Int, _ clock: ManualClock,
    _ handler: @escaping Handler<Int>
  ) -> Tool {
    let ticks = tool.ticks()
    clock.run { for await tick in ticks { handler(tick.value) } }
    return Tool(send: { tool.send($0, for: $0 % keys) }, finish: tool.finish)
  }

  @Test("audited(for:) delivers what an auditor does", arguments: Soak.portions(100))
  func audited(seeds: ClosedRange<UInt64>) {
    for seed in seeds {
      var generator = SplitMix64(seed: seed)
      let window = span(0...20, &generator)
      let rule = rule(&generator)
      check(seed, &generator) { base, clock, atEnd, onError in
        base.audited(for: window, varying: rule, atEnd: atEnd, onError: onError, clock: clock)
      } _: { clock, handler in
        let tool = Auditor<Int>(for: window, varying: rule, clock: clock, handler: handler)
        return Tool(send: tool.send, finish: tool.finish)
      }
    }
  }

  @Test("sampled(every:) delivers what a sampler does", arguments: Soak.portions(100))
  func sampled(seeds: ClosedRange<UInt64>) {
    for seed in seeds {
      var generator = SplitMix64(seed: seed)
      let period = span(1...20, &generator)
      check(seed, &generator) { base, clock, atEnd, onError in
        base.sampled(every: period, atEnd: atEnd, onError: onError, clock: clock)
      } _: { clock, handler in
        let tool = Sampler<Int>(every: period, clock: clock, handler: handler)
        return Tool(send: tool.send, finish: tool.finish)
      }
    }
  }

  @Test("audited(for:by:) delivers what a naive model does", arguments: Soak.portions(100))
  func auditedByKey(seeds: ClosedRange<UInt64>) {
    for seed in seeds {
      var generator = SplitMix64(seed: seed)
      let window = Int.random(in: 0...20, using: &generator)
      let (keys, maximum) = keys(&generator)
      check(seed, &generator, endsInAnyOrder: true) { base, clock, atEnd, onError in
        base.audited(
          for: .milliseconds(window), by: { $0 % keys }, maximumKeys: maximum, whenFull: .makeRoom,
          atEnd: atEnd,
          onError: onError, clock: clock)
      } _: { clock, handler in
        let model = NaiveWindows(
          clock, keys: keys, maximum: maximum, due: { $0 + window },
          deliver: handler)
        return Tool(send: model.send, finish: model.finish)
      }
    }
  }

  @Test("sampled(every:by:) delivers what a naive model does", arguments: Soak.portions(100))
  func sampledByKey(seeds: ClosedRange<UInt64>) {
    for seed in seeds {
      var generator = SplitMix64(seed: seed)
      let period = Int.random(in: 1...20, using: &generator)
      let (keys, maximum) = keys(&generator)
      check(seed, &generator, endsInAnyOrder: true) { base, clock, atEnd, onError in
        base.sampled(
          every: .milliseconds(period), by: { $0 % keys }, maximumKeys: maximum,
          whenFull: .makeRoom,
          atEnd: atEnd,
          onError: onError, clock: clock)
      } _: { clock, handler in
        let model = NaiveWindows(
          clock, keys: keys, maximum: maximum, due: { ($0 / period + 1) * period }, deliver: handler
        )
        return Tool(send: model.send, finish: model.finish)
      }
    }
  }

  /// No key precedes another among those that an end lets be delivered at the same instant.
  private func sorting<Output>(_ events: Events<Output>, from end: Int) -> Events<Output> {
    let elements = events.map { event in
      guard case .element(let output, let instant) = event else { return ("", 0, event) }
      return ("\(output)", instant, event)
    }
    let last = elements.filter { $0.1 >= end }.sorted { ($0.1, $0.0) < ($1.1, $1.0) }
    return (elements.filter { $0.1 < end } + last).map(\.2)
  }

  /// A number of keys, and a limit on those in use that may be smaller.
  private func keys(_ generator: inout SplitMix64) -> (keys: Int, maximum: Int) {
    let keys = Int.random(in: 1...5, using: &generator)
    let maximum = Int.random(in: 1...5, using: &generator)
    return (keys, maximum)
  }

  @Test("batched(_:) delivers what a batcher does", arguments: Soak.portions(200))
  func batched(seeds: ClosedRange<UInt64>) {
    for seed in seeds {
      var generator = SplitMix64(seed: seed)
      let count = Int.random(in: 1...5, using: &generator)
      let limit =
        switch Int.random(in: 0..<3, using: &generator) {
        case 0:
          BatchLimit.every(
            span(1...20, &generator), maximumCount: count,
            includingEmpty: Bool.random(using: &generator))
        case 1: BatchLimit(maximumCount: count, idleGap: span(0...20, &generator))
        default: BatchLimit(maximumCount: count, maximumDelay: span(0...20, &generator))
        }
      check(seed, &generator) { base, clock, atEnd, onError in
        base.batched(limit, atEnd: atEnd, onError: onError, clock: clock)
      } _: { clock, handler in
        let tool = Batcher<Int>(limit, clock: clock, handler: handler)
        return Tool(send: tool.send, finish: tool.finish)
      }
    }
  }

  @Test("delayed(by:) and delayed(until:) keep order and distance", arguments: Soak.portions(200))
  func delayed(seeds: ClosedRange<UInt64>) {
    for seed in seeds {
      var generator = SplitMix64(seed: seed)
      let instant = Int.random(in: 0...200, using: &generator)
      let delay = Int.random(in: 0...20, using: &generator)
      let isAbsolute = Bool.random(using: &generator)
      check(seed, &generator) { base, clock, atEnd, onError in
        if isAbsolute {
          base.delayed(until: .at(instant), atEnd: atEnd, onError: onError, clock: clock)
        } else {
          base.delayed(
            by: .milliseconds(delay), atEnd: atEnd, onError: onError, clock: clock)
        }
      } _: { clock, handler in
        let model = NaiveDelay(clock) {
          isAbsolute ? max($0, instant) : $0 + delay
        } deliver: {
          handler($0)
        }
        return Tool(send: model.send, finish: model.finish)
      }
    }
  }

  @Test("timeout(after:) passes on what comes in time", arguments: Soak.portions(200))
  func timeout(seeds: ClosedRange<UInt64>) {
    for seed in seeds {
      var generator = SplitMix64(seed: seed)
      let first = Int.random(in: 0...60, using: &generator)
      let each = Int.random(in: 10...60, using: &generator)
      let script = Script(&generator)
      let events = run(script) { base, clock, _, _ in
        base.timeout(after: .milliseconds(each), first: .milliseconds(first), clock: clock)
      }
      #expect(events == naiveTimeout(script, first: first, each: each), "seed \(seed)")
    }
  }

  /// Checks the limit at each event: time that passes without a timer does not count.
  private func naiveTimeout(
    _ script: Script, first: Int, each: Int
  ) -> [OperatorStage<Int, Int>.Event] {
    var (time, limit) = (0, first)
    var events = [OperatorStage<Int, Int>.Event]()
    if first == 0 { return [.timeout(at: 0)] }
    for act in script.acts {
      switch act {
      case .lapse(let span): time += span
      case .advance(let span):
        if time + span >= limit { return events + [.timeout(at: max(time, limit))] }
        time += span
      case .send(let value):
        if time >= limit { return events + [.timeout(at: time)] }
        events.append(.element(value, at: time))
        limit = time + each
      }
    }
    if time >= limit { return events + [.timeout(at: time)] }
    return events + [script.isFailing ? .fault(at: time) : .end(at: time)]
  }
}

/// A specification of a delay, as plain as possible.
private final class NaiveDelay: TimerTarget {
  private let clock: ManualClock
  private let due: @Sendable (Int) -> Int
  private let deliver: @Sendable (Int) -> Void
  private let waiting = EventRecorder<(value: Int, due: Int)>()

  init(
    _ clock: ManualClock, due: @escaping @Sendable (Int) -> Int,
    deliver: @escaping @Sendable (Int) -> Void
  ) {
    (self.clock, self.due, self.deliver) = (clock, due, deliver)
  }

  func send(_ value: Int) {
    settle()
    waiting.record((value, due(clock.now.milliseconds)))
    _ = clock.service.schedule(self, at: .at(due(clock.now.milliseconds)))
    settle()
  }

  func finish(_ policy: Finish) {
    settle()
    guard policy != .whenDue else { return }
    let rest = waiting.takeAll()
    if policy == .atOnce { for (value, _) in rest { deliver(value) } }
  }

  func wake(_ handle: TimerService.Handle) { settle() }

  private func settle() {
    for entry in waiting.takeAll() {
      if entry.due <= clock.now.milliseconds {
        deliver(entry.value)
      } else {
        waiting.record(entry)
      }
    }
  }
}
