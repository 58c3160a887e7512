import Pacing
import PacingTesting
import TestSupport

/// A tool whose handler calls the tool: values that it sends follow the current delivery, and are
/// held until the handler returns.
final class EchoSubject: Subject {
  /// The handler's action for a value.
  private enum Deed: Int, CaseIterable {
    case nothing, send, sendAndFlush, sendAndCancel, flush

    init(_ value: Int) {
      self = value.isMultiple(of: 2) ? Deed(rawValue: value / 2 % Self.allCases.count)! : .nothing
    }

    var sends: Bool { self == .send || self == .sendAndFlush || self == .sendAndCancel }
    var flushes: Bool { self == .flush || self == .sendAndFlush }
  }

  /// Gives the handler access to its tool.
  private final class Home: Sendable {
    private struct Weak: Sendable {
      weak var tool: (any ValuePacingTool<Int>)?
    }

    private let state = Locked(Weak())

    var tool: (any ValuePacingTool<Int>)? {
      get { state.withLock { $0.tool } }
      set { state.withLock { $0.tool = newValue } }
    }
  }

  private static let answers = 1

  private let origin: Int
  private var model: any NaiveModel
  private var tool: (any ValuePacingTool<Int>)?
  private var sent = 0
  private var received = 0
  /// The value that was decided but has not started.
  private var decided: Int?
  private var isFlushed = false
  /// The held value is overdue, and waits for the handler to return.
  private var isOverdue = false

  init(_ scene: Scene, _ random: inout SplitMix64) {
    let (home, clock) = (Home(), scene.clock)
    origin = clock.now.milliseconds
    let wait = Int.random(in: 0...12, using: &random)
    let window = Duration.milliseconds(wait)
    let edges = [Edges.leading, .trailing, .both].randomElement(using: &random)!
    let kind = Int.random(in: 0..<4, using: &random)
    switch kind {
    case 0: model = NaiveDebounce(wait: wait, maximumWait: nil, edges: edges)
    case 1: model = NaiveThrottle(interval: wait, edges: edges, keepsFirst: false)
    case 2: model = NaiveAudit(window: wait)
    default: model = NaiveSample(period: wait + 1)
    }
    super.init(scene)
    let handler: @Sendable (Int) -> Void = { [journal] value in
      journal.note(value)
      let (deed, tool) = (Deed(value), home.tool)
      if deed.sends { tool?.send(value + 1) }
      if deed.flushes { journal.note(tool?.flush() == true ? 1 : 0, lane: Self.answers) }
      if deed == .sendAndCancel { journal.note(tool?.cancel() ?? -1, lane: Self.answers) }
    }
    switch kind {
    case 0: tool = Debouncer(for: window, edges: edges, clock: clock, handler: handler)
    case 1: tool = Throttler(every: window, edges: edges, clock: clock, handler: handler)
    case 2: tool = Auditor(for: window, clock: clock, handler: handler)
    default: tool = Sampler(every: .milliseconds(wait + 1), clock: clock, handler: handler)
    }
    home.tool = tool
  }

  // MARK: The oracle

  override var dueTime: Int? { model.dueTime.map { $0 + origin } }

  override func settle(at time: Int) {
    decide(at: time)
    while let value = decided {
      expect(value, at: time)
      handle(value, at: time)
      decided = nil
      decide(at: time)
    }
  }

  private func decide(at time: Int) {
    guard let held = model.held else { return }
    if !isOverdue, !isFlushed, let due = dueTime { isOverdue = due <= time }
    guard decided == nil, isOverdue || isFlushed else { return }
    decided = held
    isFlushed ? model.flush(at: time - origin) : model.deliver(at: time - origin)
    (isFlushed, isOverdue) = (false, false)
  }

  /// Runs the handler; nothing is decided until it returns.
  private func handle(_ value: Int, at time: Int) {
    let deed = Deed(value)
    decide(at: time)
    if deed.sends {
      model.send(value + 1, at: time - origin)
      received += 1
    }
    if deed.flushes {
      isFlushed = model.held != nil
      expect(isFlushed ? 1 : 0, lane: Self.answers, at: time)
    }
    if deed == .sendAndCancel {
      expect(model.held ?? -1, lane: Self.answers, at: time)
      model.cancel()
      isOverdue = false
    }
  }

  // MARK: The calls

  override func call(_ random: inout SplitMix64) -> Bool {
    guard let tool else { return true }
    switch Int.random(in: 0..<8, using: &random) {
    case 0..<5:
      decide(at: now)
      model.send(sent * 2, at: now - origin)
      settle(at: now)
      tool.send(sent * 2)
      sent += 1
      received += 1
    case 5:
      decide(at: now)
      let isHeld = model.held != nil
      isFlushed = isHeld
      settle(at: now)
      return tool.flush() == isHeld
    case 6:
      let held = model.held
      model.cancel()
      return tool.cancel() == held
    default: break
    }
    return true
  }

  override var isConsistent: Bool {
    guard let tool else { return true }
    let counts = tool.statistics
    return counts.received == received && tool.pending == model.held
      && received == counts.delivered + counts.merged + counts.dropped + counts.pending
  }

  override var description: String { "EchoSubject of \(model), \(sent) sent" }

  override func end() {
    tool = nil
    model.cancel()
  }
}
