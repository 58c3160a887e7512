import Pacing
import PacingTesting

/// A tool with an async handler, or one whose callers wait for the outcome, behind a common
/// interface.
struct AsyncTool {
  enum Kind: CaseIterable {
    case debouncer, throttler, auditor, sampler, callDebouncer, callThrottler

    /// What `finish` does unless it is told.
    var usualFinish: Finish {
      switch self {
      case .debouncer, .callDebouncer: .atOnce
      case .throttler, .auditor, .callThrottler: .whenDue
      case .sampler: .discard
      }
    }
  }

  /// The settings given to both the tool and the oracle.
  struct Settings {
    let wait: Int
    let edges: Edges
    let maximumWait: Int?
    let keeping: Keeping
    let overlap: Overlap
  }

  /// Journal entries in a call's own lane.
  enum Outcome {
    static let executed = 1
    static let superseded = 2
    static let cancelled = 3
    static let failed = 4
  }

  /// The lane of ends of runs.
  static let ends = -1

  struct Failure: Error {}

  let kind: Kind
  private(set) var tool: (any ValuePacingTool<Int>)?
  private(set) var calls: (any CallingTool<Int, Int>)?

  init(
    _ kind: Kind, _ settings: Settings, on stage: Stage, turns: Turns, journal: Journal
  ) {
    self.kind = kind
    let (window, clock) = (Duration.milliseconds(settings.wait), journal.clock)
    let (edges, overlap, keep) = (settings.edges, settings.overlap, settings.keeping.keep)
    let maximum = settings.maximumWait.map { Duration.milliseconds($0) }
    let run: @Sendable (isolated Stage, Int) async -> Void = { _, value in
      journal.note(value)
      await turns.wait()
      journal.note(Self.end(of: value, wasCancelled: Task.isCancelled), lane: Self.ends)
    }
    let operation: @Sendable (Int) async throws -> Int = { value in
      await run(stage, value)
      try Task.checkCancellation()
      if Self.fails(value) { throw Failure() }
      return value
    }
    switch kind {
    case .debouncer:
      tool = Debouncer(for: window, edges: edges, maximumWait: maximum, keeping: keep, clock: clock)
        .handle(in: stage, overlap: overlap, run)
    case .throttler:
      tool = Throttler(every: window, edges: edges, keeping: keep, clock: clock).handle(
        in: stage, overlap: overlap, run)
    case .auditor:
      tool = Auditor(for: window, clock: clock).handle(in: stage, overlap: overlap, run)
    case .sampler:
      tool = Sampler(every: window + .milliseconds(1), clock: clock).handle(
        in: stage, overlap: overlap, run)
    case .callDebouncer:
      calls = AsyncDebouncer(
        for: window, edges: edges, maximumWait: maximum, overlap: overlap, clock: clock,
        operation: operation)
    case .callThrottler:
      calls = AsyncThrottler(
        every: window, edges: edges, overlap: overlap, clock: clock, operation: operation)
    }
  }

  static func fails(_ value: Int) -> Bool { value.isMultiple(of: 5) }

  static func end(of value: Int, wasCancelled: Bool) -> Int { value * 2 + (wasCancelled ? 1 : 0) }

  static func lane(of value: Int) -> Int { value + 1 }

  /// Sends a value; for a call, returns the caller's task.
  func send(_ value: Int, _ journal: Journal) -> Task<Void, Never>? {
    guard let calls else {
      tool?.send(value)
      return nil
    }
    return journal.clock.run {
      let outcome: Int
      do {
        switch try await calls.call(value) {
        case .executed(value): outcome = Outcome.executed
        case .superseded: outcome = Outcome.superseded
        case .cancelled: outcome = Outcome.cancelled
        case let other: outcome = other.value ?? 0
        }
      } catch {
        outcome = error is Failure ? Outcome.failed : 0
      }
      journal.note(outcome, lane: Self.lane(of: value))
    }
  }

  func flush() -> Bool? { tool?.flush() ?? calls?.flush() }

  func cancel() -> Int? {
    if let calls { calls.cancel() } else { tool?.cancel() }
  }

  func finish(_ finish: Finish?) {
    tool?.finish(finish)
    calls?.finish(finish)
  }

  var pending: Int? {
    if let calls { calls.pending } else { tool?.pending }
  }

  var statistics: DeliveryStatistics? { tool?.statistics ?? calls?.statistics }

  func suspend(_ isSuspended: Bool) {
    if isSuspended { tool?.suspend() } else { tool?.resume() }
    if isSuspended { calls?.suspend() } else { calls?.resume() }
  }

  func adjust(wait: Int) {
    let wait = Duration.milliseconds(wait)
    switch kind {
    case .debouncer: (tool as? Debouncer<Int>)?.wait = wait
    case .throttler: (tool as? Throttler<Int>)?.interval = wait
    case .auditor: (tool as? Auditor<Int>)?.window = wait
    case .sampler: break
    case .callDebouncer: (calls as? AsyncDebouncer<Int, Int>)?.wait = wait
    case .callThrottler: (calls as? AsyncThrottler<Int, Int>)?.interval = wait
    }
  }
}
