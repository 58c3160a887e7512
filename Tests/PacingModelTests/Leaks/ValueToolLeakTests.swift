import Pacing
import PacingTesting
import Testing

@testable import TestSupport

/// Every tool that takes values, dropped in every state.
///
/// The tool is released immediately, with its values, its handler and everything that they hold. A
/// test that reaches its time limit has found a leak.
@Suite("Leaks: tools for values", .timeLimit(.minutes(5)))
struct ValueToolLeakTests {
  enum Kind: CaseIterable { case debouncer, throttler, auditor, sampler, batcher, keyed }

  enum Face: CaseIterable { case handler, asyncHandler, stream, observed }

  enum State: CaseIterable {
    case idle, pending, late, decided, delivered, flushed, cancelled, suspended, overdue
    case finishing, finished
  }

  private let clock = ManualClock()
  private let tally = Tally()
  private let gate = Gate<Int>()

  @Test("nothing stays", arguments: Kind.allCases, Face.allCases)
  func nothingStays(kind: Kind, face: Face) async {
    for state in State.allCases {
      let task = use(kind, face, state)
      gate.openAll()
      clock.advance(by: .seconds(1))
      task?.cancel()
      clock.runReady()
      await tally.allReleased()
      await clock.settle()
      #expect(clock.pendingCount == 0, "\(state)")
    }
  }

  @Test("a handler that runs lets its tool go, and is let go at its end", arguments: Kind.allCases)
  func running(kind: Kind) async {
    let gate = Gate<Int>()
    let held = tally.burden()
    weak var tool: (any AnyObject)?
    do {
      let specimen = make(kind, .asyncHandler, captured: held, gate: gate)
      tool = specimen.tool
      specimen.send(tally.burden())
      clock.advance(by: .seconds(1))
      await gate.arrival(0)
      specimen.send(tally.burden())
    }
    #expect(tool == nil)
    gate.openAll()
    await clock.settle()
    clock.advance(by: .seconds(1))
    #expect(clock.pendingCount == 0)
  }

  private struct Specimen {
    let tool: any AnyObject & Sendable
    let send: (Burden) -> Void
    let act: (State) -> Void
    let ticks: () -> any Sendable & AsyncSequence
    let observe: (Burden) -> Void
  }

  /// Brings a tool into a state, and drops it.
  private func use(_ kind: Kind, _ face: Face, _ state: State) -> Task<Void, Never>? {
    weak var tool: (any AnyObject)?
    var task: Task<Void, Never>?
    do {
      let specimen = make(kind, face, captured: tally.burden(), gate: gate)
      tool = specimen.tool
      if face == .stream { task = read(specimen.ticks()) }
      if face == .observed { specimen.observe(tally.burden()) }
      for _ in 0..<3 where state != .idle { specimen.send(tally.burden()) }
      switch state {
      case .late: clock.lapse(by: .seconds(1))
      case .delivered: clock.advance(by: .seconds(1))
      case .idle, .pending: break
      default: specimen.act(state)
      }
    }
    // Values that `finish()` left are delivered before the tool is released.
    if state == .finishing { clock.advance(by: .seconds(1)) }
    if face != .stream { #expect(tool == nil, "\(state)") }
    return task
  }

  private func read(_ values: any Sendable & AsyncSequence) -> Task<Void, Never> {
    func loop<Values: Sendable & AsyncSequence>(_ values: Values) -> Task<Void, Never>
    where Values.Element: Sendable {
      clock.run { do { for try await _ in values {} } catch {} }
    }
    guard let stream = values as? AsyncStream<Burden> else {
      guard let stream = values as? AsyncStream<[Burden]> else {
        return loop(values as! AsyncStream<(key: Int, value: Burden)>)
      }
      return loop(stream)
    }
    return loop(stream)
  }

  private func make(
    _ kind: Kind, _ face: Face, captured: Burden, gate: Gate<Int>
  ) -> Specimen {
    let wait = Duration.milliseconds(100)
    let note: @Sendable (Burden) -> Void = { _ in withExtendedLifetime(captured) {} }
    let pass: @Sendable (Burden) async -> Void = { _ in
      await gate.pass(0)
      withExtendedLifetime(captured) {}
    }
    switch (kind, face) {
    case (.debouncer, .stream): return specimen(Debouncer(for: wait, clock: clock))
    case (.debouncer, .asyncHandler):
      return specimen(Debouncer(for: wait, clock: clock).handle(pass))
    case (.debouncer, _): return specimen(Debouncer(for: wait, clock: clock, handler: note))
    case (.throttler, .stream): return specimen(Throttler(every: wait, clock: clock))
    case (.throttler, .asyncHandler):
      return specimen(Throttler(every: wait, clock: clock).handle(pass))
    case (.throttler, _): return specimen(Throttler(every: wait, clock: clock, handler: note))
    case (.auditor, .stream): return specimen(Auditor(for: wait, clock: clock))
    case (.auditor, .asyncHandler):
      return specimen(Auditor(for: wait, clock: clock).handle(pass))
    case (.auditor, _): return specimen(Auditor(for: wait, clock: clock, handler: note))
    case (.sampler, .stream): return specimen(Sampler(every: wait, clock: clock))
    case (.sampler, .asyncHandler):
      return specimen(Sampler(every: wait, clock: clock).handle(pass))
    case (.sampler, _): return specimen(Sampler(every: wait, clock: clock, handler: note))
    case (.batcher, .stream): return specimen(Batcher(limit, clock: clock))
    case (.batcher, .asyncHandler):
      return specimen(
        Batcher(limit, clock: clock).handle { (batch: [Burden]) in await pass(batch[0]) })
    case (.batcher, _):
      return specimen(Batcher(limit, clock: clock) { (batch: [Burden]) in note(batch[0]) })
    case (.keyed, .stream): return specimen(KeyedDebouncer(for: wait, clock: clock))
    case (.keyed, .asyncHandler):
      return specimen(
        KeyedDebouncer<Int, Burden>(for: wait, clock: clock).handle { await pass($0.value) })
    case (.keyed, _):
      return specimen(
        KeyedDebouncer(for: wait, clock: clock) { (_: Int, value: Burden) in note(value) })
    }
  }

  private var limit: BatchLimit { BatchLimit(maximumCount: 2, maximumDelay: .milliseconds(100)) }

  private func specimen(_ tool: some ValuePacingTool<Burden>) -> Specimen {
    Specimen(
      tool: tool, send: tool.send,
      act: { state in
        switch state {
        case .decided: tool.flush()
        case .flushed: clock.advance(by: tool.flush() ? .zero : .zero)
        case .cancelled: tool.cancel()
        case .suspended: tool.suspend()
        case .overdue:
          tool.suspend()
          clock.advance(by: .seconds(1))
        case .finishing: tool.finish()
        default: tool.finish(.discard)
        }
      }, ticks: tool.ticks,
      observe: { burden in tool.onDrop { _, _ in withExtendedLifetime(burden) {} } })
  }

  private func specimen(_ tool: Batcher<Burden>) -> Specimen {
    Specimen(
      tool: tool, send: tool.send,
      act: { state in
        switch state {
        case .decided: tool.flush()
        case .flushed: clock.advance(by: tool.flush() ? .zero : .zero)
        case .cancelled: tool.cancel()
        case .suspended: tool.suspend()
        case .overdue:
          tool.suspend()
          clock.advance(by: .seconds(1))
        case .finishing: tool.finish()
        default: tool.finish(.discard)
        }
      }, ticks: tool.ticks,
      observe: { burden in tool.onDrop { _, _ in withExtendedLifetime(burden) {} } })
  }

  private func specimen(_ tool: KeyedDebouncer<Int, Burden>) -> Specimen {
    Specimen(
      tool: tool, send: { tool.send($0, for: 1) },
      act: { state in
        switch state {
        case .decided: tool.flush()
        case .flushed: clock.advance(by: tool.flush() ? .zero : .zero)
        case .cancelled: _ = tool.cancel()
        case .suspended: tool.suspend()
        case .overdue:
          tool.suspend()
          clock.advance(by: .seconds(1))
        case .finishing: tool.finish()
        default: tool.finish(.discard)
        }
      }, ticks: tool.ticks,
      observe: { burden in tool.onDrop { _, _ in withExtendedLifetime(burden) {} } })
  }
}
