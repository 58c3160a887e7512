import Pacing
import PacingTesting
import TestSupport
import Testing

/// Tools with extreme settings, under calls with extreme arguments.
///
/// Only settings that violate no precondition are used; `TrapTests` has the others.
@Suite("Hostile calls of tools")
struct HostileToolTests {
  private let clock = ManualClock()

  private func edges(_ random: inout SplitMix64) -> Edges {
    random.one(of: [.leading, .trailing, .both])
  }

  private func pacingTool(_ random: inout SplitMix64) -> any ValuePacingTool<Int> {
    let (wait, tolerance) = (random.duration(), random.duration())
    let rule: @Sendable (Int) -> Duration? = { Extremes.durations[$0 % Extremes.durations.count] }
    switch Int.random(in: 0..<4, using: &random) {
    case 0:
      return Debouncer<Int>(
        for: wait, edges: edges(&random), maximumWait: random.maybe(random.duration()),
        varying: random.maybe(rule), tolerance: tolerance, clock: clock
      ) { _ in }
    case 1:
      return Throttler<Int>(
        every: wait, edges: edges(&random), varying: random.maybe(rule), tolerance: tolerance,
        clock: clock
      ) { _ in }
    case 2:
      return Auditor<Int>(
        for: wait, varying: random.maybe(rule), tolerance: tolerance, clock: clock
      ) { _ in }
    default:
      let period = wait > .zero ? wait : .nanoseconds(1)
      return Sampler<Int>(every: period, tolerance: tolerance, clock: clock) { _ in }
    }
  }

  /// Advances time, by as much as the clock can represent.
  private func move(_ random: inout SplitMix64) {
    clock.lapse(by: random.duration())
    clock.advance(by: .zero)
  }

  private func expectNothingLeft(_ seed: UInt64) {
    clock.advance(by: .zero)
    #expect(clock.pendingCount == 0, "seed \(seed)")
  }

  @Test("no value tool traps, hangs or loses count", arguments: Soak.seeds(150))
  func values(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    do {
      let tool = pacingTool(&random)
      for value in 0..<40 {
        switch Int.random(in: 0..<8, using: &random) {
        case 0: tool.flush()
        case 1: tool.cancel()
        case 2: move(&random)
        case 3: change(tool, &random)
        default: tool.send(value)
        }
        _ = (tool.timeRemaining, tool.isPending)
        let counts = tool.statistics
        let sum = counts.delivered + counts.merged + counts.dropped + counts.pending
        #expect(counts.received == sum, "seed \(seed)")
      }
    }
    expectNothingLeft(seed)
  }

  private func change(_ tool: any ValuePacingTool<Int>, _ random: inout SplitMix64) {
    switch tool {
    case let tool as Debouncer<Int>:
      tool.wait = random.duration()
      tool.maximumWait = random.maybe(random.duration())
      tool.send(0, waiting: random.duration())
    case let tool as Throttler<Int>:
      tool.interval = random.duration()
      tool.send(0, every: random.duration())
    case let tool as Auditor<Int>: tool.send(0, waiting: random.duration())
    default: break
    }
  }

  @Test("no keyed tool and no batcher does", arguments: Soak.seeds(150))
  func keysAndBatches(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    do {
      let most = random.maybe(random.positiveCount())
      let whenFull = random.one(of: [WhenFull.makeRoom, .refuse])
      let keyed: any KeyedPacingTool<Int, Int> =
        Bool.random(using: &random)
        ? KeyedDebouncer<Int, Int>(
          for: random.duration(), edges: edges(&random), maximumKeys: most,
          whenFull: whenFull, clock: clock
        ) { _, _ in }
        : KeyedThrottler<Int, Int>(
          every: random.duration(), edges: edges(&random), maximumKeys: most,
          whenFull: whenFull, clock: clock
        ) { _, _ in }
      let limit =
        Bool.random(using: &random)
        ? BatchLimit(
          maximumCount: random.maybe(random.positiveCount()),
          maximumWeight: random.maybe(random.positiveCount()),
          maximumDelay: random.maybe(random.duration()), idleGap: random.maybe(random.duration()),
          maximumPendingBatches: random.maybe(random.positiveCount()))
        : .every(
          random.period(), maximumCount: random.maybe(random.positiveCount()),
          includingEmpty: .random(using: &random),
          maximumPendingBatches: random.maybe(random.positiveCount()))
      let batcher = Batcher<Int>(
        limit, weigh: { Extremes.counts[$0 % Extremes.counts.count] },
        clock: clock
      ) { _ in }
      for value in 0..<40 {
        keyed.send(value, for: random.one(of: [0, 1, .max, .min]))
        batcher.send(value)
        switch Int.random(in: 0..<6, using: &random) {
        case 0: _ = (keyed.flush(), batcher.flush())
        case 1: _ = (keyed.cancel(for: .max), batcher.cancel())
        case 2: move(&random)
        default: break
        }
        for counts in [keyed.statistics, batcher.statistics] {
          let sum = counts.delivered + counts.merged + counts.dropped + counts.pending
          #expect(counts.received == sum, "seed \(seed)")
        }
      }
    }
    expectNothingLeft(seed)
  }

  @Test("no timer does, of any schedule that is accepted", arguments: Soak.seeds(150))
  func timers(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    let ticks = EventRecorder<Tick>(clock: clock)
    let first: FirstTick = random.one(of: [
      .now, .afterPeriod, .after(random.duration()), .at(random.instant()),
      .atWallTime(random.duration()), .aligned(offset: random.duration()),
    ])
    // An unlimited burst would ask for an unlimited number of ticks.
    let missed = random.one(of: [MissedTicks.skip, .coalesce, .delay, .burst(limit: 3)])
    let (period, jitter) = (random.period(), random.duration())
    let schedule = TickSchedule.every(
      period, first: first, count: random.maybe(random.positiveCount()), missed: missed,
      jitter: jitter >= .zero && jitter < period ? jitter : .zero)
    do {
      let timer = DispatchTimer(schedule, clock: clock) { ticks.record($0) }
      for _ in 0..<30 {
        switch Int.random(in: 0..<9, using: &random) {
        case 0, 1: timer.start()
        case 2: timer.suspend(keepingRemaining: .random(using: &random))
        case 3: timer.reset(nextAt: random.instant())
        case 4:
          let period = random.duration()
          if period > .zero { timer.reschedule(every: period) }
        case 5: timer.fireNow()
        case 6: clock.wallTime = random.duration()
        case 7: timer.reset()
        default: move(&random)
        }
        clock.advance(by: .zero)
        _ = (timer.nextDeadline, timer.state)
      }
    }
    expectNothingLeft(seed)
    #expect(ticks.values.allSatisfy { $0.actual >= $0.scheduled && $0.missed >= 0 }, "seed \(seed)")
  }

  @Test("no operator does", arguments: Soak.seeds(60))
  func operators(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    // A source has a single reader.
    let sources = (0..<2).map { _ in Source<Int, Never>() }
    let (wait, tolerance) = (random.duration(), random.duration())
    let tasks: [Task<Void, Never>] = [
      read(sources[0].debounced(for: wait, maximumWait: random.duration(), clock: clock)),
      read(Source<Int, Never>().throttled(every: wait, tolerance: tolerance, clock: clock)),
      read(Source<Int, Never>().audited(for: wait, clock: clock)),
      read(Source<Int, Never>().delayed(by: wait, includingEnd: true, clock: clock)),
      read(Source<Int, Never>().delayed(until: random.instant(), clock: clock)),
      read(Source<Int, Never>().timeout(after: wait, first: random.duration(), clock: clock)),
      read(sources[1].delayed(by: wait, tolerance: tolerance, clock: clock)),
    ]
    for value in 0..<10 {
      for source in sources { source.send(value) }
      clock.runReady()
      move(&random)
    }
    for source in sources { source.finish() }
    for task in tasks { task.cancel() }
    expectNothingLeft(seed)
  }

  private func read<Values: AsyncSequence & Sendable>(_ values: Values) -> Task<Void, Never>
  where Values.Element == Int {
    clock.run { do { for try await _ in values {} } catch {} }
  }
}
