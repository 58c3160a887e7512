import Pacing
import PacingTesting
import TestSupport

/// A tool of any kind, behind the verbs that all kinds share; its values are 0, 1, 2 and so on.
final class Specimen {
  enum Kind: CaseIterable {
    case debouncer, throttler, auditor, sampler, batcher, keyedDebouncer, keyedThrottler
  }

  enum Consumer: CaseIterable {
    case handler, asyncHandler, streams
  }

  let drops = EventRecorder<DropReason>()
  let delivered = Counter()
  private(set) var send: ((Int) -> Void)?
  private(set) var flush: (() -> Void)?
  private(set) var cancel: (() -> Void)?
  private(set) var finish: ((Finish?) -> Void)?
  private(set) var suspend: ((Bool) -> Void)?
  private(set) var subscribe: (() -> any Sendable)?
  private(set) var counts: (() -> DeliveryStatistics)?

  init(
    _ kind: Kind, _ consumer: Consumer, _ clock: ManualClock, _ gate: Gate<Int>,
    _ generator: inout SplitMix64
  ) {
    let wait = Duration.milliseconds(Int.random(in: 0...15, using: &generator))
    let edges = [Edges.leading, .trailing, .both].randomElement(using: &generator)!
    let keep = [Keep<Int>.latest, .first, .reducing(max)].randomElement(using: &generator)!
    let overlap = Self.overlaps.randomElement(using: &generator)!
    let (delivered, drops) = (delivered, drops)
    let note: @Sendable (Int) -> Void = { _ in delivered.add() }
    let wait1 = max(wait, .milliseconds(1))
    let asyncNote: @Sendable (Int) async -> Void = { value in
      delivered.add()
      await gate.pass(value)
    }
    let drop: @Sendable (Int, DropReason) -> Void = { drops.record($1) }
    switch (kind, consumer) {
    case (.debouncer, .handler):
      adopt(Debouncer(for: wait, edges: edges, keeping: keep, clock: clock, handler: note), drop)
    case (.debouncer, .asyncHandler):
      adopt(
        Debouncer(for: wait, edges: edges, keeping: keep, clock: clock).handle(
          overlap: overlap, asyncNote), drop)
    case (.debouncer, .streams):
      adopt(Debouncer(for: wait, edges: edges, keeping: keep, clock: clock), drop)
    case (.throttler, .handler):
      adopt(Throttler(every: wait, edges: edges, keeping: keep, clock: clock, handler: note), drop)
    case (.throttler, .asyncHandler):
      adopt(
        Throttler(every: wait, edges: edges, keeping: keep, clock: clock).handle(
          overlap: overlap, asyncNote), drop)
    case (.throttler, .streams):
      adopt(Throttler(every: wait, edges: edges, keeping: keep, clock: clock), drop)
    case (.auditor, .handler):
      adopt(Auditor(for: wait, clock: clock, handler: note), drop)
    case (.auditor, .asyncHandler):
      adopt(
        Auditor(for: wait, clock: clock).handle(overlap: overlap, asyncNote), drop)
    case (.auditor, .streams): adopt(Auditor(for: wait, clock: clock), drop)
    case (.sampler, .handler):
      adopt(Sampler(every: wait1, clock: clock, handler: note), drop)
    case (.sampler, .asyncHandler):
      adopt(
        Sampler(every: wait1, clock: clock).handle(overlap: overlap, asyncNote),
        drop)
    case (.sampler, .streams): adopt(Sampler(every: wait1, clock: clock), drop)
    case (.batcher, _):
      adopt(consumer, clock, gate, wait: wait, overlap: overlap, &generator)
    case (.keyedDebouncer, .handler):
      let (most, whenFull) = Self.limit(&generator)
      adopt(
        KeyedDebouncer(
          for: wait, edges: edges, keeping: keep, maximumKeys: most, whenFull: whenFull,
          clock: clock
        ) {
          (_: Int, value: Int) in note(value)
        })
    case (.keyedDebouncer, .asyncHandler):
      let (most, whenFull) = Self.limit(&generator)
      adopt(
        KeyedDebouncer<Int, Int>(
          for: wait, edges: edges, keeping: keep, maximumKeys: most, whenFull: whenFull,
          clock: clock
        ).handle { await asyncNote($0.value) })
    case (.keyedDebouncer, .streams):
      let (most, whenFull) = Self.limit(&generator)
      adopt(
        KeyedDebouncer(
          for: wait, edges: edges, keeping: keep, maximumKeys: most, whenFull: whenFull,
          clock: clock))
    case (.keyedThrottler, .handler):
      let (most, whenFull) = Self.limit(&generator)
      adopt(
        KeyedThrottler(
          every: wait, edges: edges, keeping: keep, maximumKeys: most, whenFull: whenFull,
          clock: clock
        ) {
          (_: Int, value: Int) in note(value)
        })
    case (.keyedThrottler, .asyncHandler):
      let (most, whenFull) = Self.limit(&generator)
      adopt(
        KeyedThrottler<Int, Int>(
          every: wait, edges: edges, keeping: keep, maximumKeys: most, whenFull: whenFull,
          clock: clock
        ).handle { await asyncNote($0.value) })
    case (.keyedThrottler, .streams):
      let (most, whenFull) = Self.limit(&generator)
      adopt(
        KeyedThrottler(
          every: wait, edges: edges, keeping: keep, maximumKeys: most, whenFull: whenFull,
          clock: clock))
    }
  }

  /// Releases the tool.
  func letGo() {
    (send, flush, cancel, finish, suspend, subscribe, counts) = (nil, nil, nil, nil, nil, nil, nil)
  }

  private static var overlaps: [Overlap] {
    [.keepLatest, .queue(1), .queue(3), .cancelPrevious, .dropNew, .concurrent(2)]
  }

  private static func limit(_ generator: inout SplitMix64) -> (Int?, WhenFull) {
    [(nil, .refuse), (2, .refuse), (2, .makeRoom)].randomElement(using: &generator)!
  }

  private func adopt(
    _ tool: some ValuePacingTool<Int>, _ drop: @escaping @Sendable (Int, DropReason) -> Void
  ) {
    tool.onDrop(drop)
    send = tool.send
    flush = { tool.flush() }
    cancel = { tool.cancel() }
    finish = { tool.finish($0) }
    suspend = { $0 ? tool.suspend() : tool.resume() }
    subscribe = { tool.ticks() }
    counts = { tool.statistics }
  }

  private func adopt(_ tool: some KeyedPacingTool<Int, Int>) {
    tool.onDrop { [drops] _, reason in drops.record(reason) }
    send = { tool.send($0, for: $0 % 4) }
    flush = { tool.flush() }
    cancel = { tool.cancel(for: 1) }
    finish = { tool.finish($0) }
    suspend = { $0 ? tool.suspend() : tool.resume() }
    subscribe = { tool.ticks() }
    counts = { tool.statistics }
  }

  private func adopt(
    _ consumer: Consumer, _ clock: ManualClock, _ gate: Gate<Int>, wait: Duration,
    overlap: Overlap, _ generator: inout SplitMix64
  ) {
    let bound = Bool.random(using: &generator) ? 1 : nil
    let limits = [
      BatchLimit(maximumCount: 3, maximumDelay: wait, maximumPendingBatches: bound),
      BatchLimit(maximumWeight: 5, idleGap: wait, maximumPendingBatches: bound),
      .every(max(wait, .milliseconds(1)), maximumCount: 4, maximumPendingBatches: bound),
    ]
    let limit = limits.randomElement(using: &generator)!
    let (delivered, drops) = (delivered, drops)
    let weigh: @Sendable (Int) -> Int = { $0 % 3 }
    let tool =
      switch consumer {
      case .handler:
        Batcher<Int>(limit, weigh: weigh, clock: clock) { delivered.add($0.count) }
      case .asyncHandler:
        Batcher<Int>(limit, weigh: weigh, clock: clock).handle(overlap: overlap) { batch in
          delivered.add(batch.count)
          await gate.pass(batch[0])
        }
      case .streams: Batcher<Int>(limit, weigh: weigh, clock: clock)
      }
    tool.onDrop { elements, reason in for _ in elements { drops.record(reason) } }
    send = tool.send
    flush = { tool.flush() }
    cancel = { tool.cancel() }
    finish = { tool.finish($0) }
    suspend = { $0 ? tool.suspend() : tool.resume() }
    subscribe = { tool.ticks() }
    counts = { tool.statistics }
  }
}
