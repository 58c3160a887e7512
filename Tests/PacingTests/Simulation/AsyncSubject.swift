import Pacing
import PacingTesting
import TestSupport

/// A tool whose async handler takes its time, beside a naive model and a list of what runs and
/// what waits to run, under each rule for runs that would overlap.
final class AsyncSubject: Subject {
  private enum Rule: CaseIterable {
    case keepLatest, cancelPrevious, dropNew, queue1, queue3, concurrent2

    var overlap: Overlap {
      switch self {
      case .keepLatest: .keepLatest
      case .cancelPrevious: .cancelPrevious
      case .dropNew: .dropNew
      case .queue1: .queue(1)
      case .queue3: .queue(3)
      case .concurrent2: .concurrent(2)
      }
    }

    var concurrency: Int { self == .concurrent2 ? 2 : 1 }

    /// How many may run or be decided.
    var capacity: Int {
      switch self {
      case .queue1, .concurrent2: 2
      case .queue3: 4
      case .dropNew: .max
      default: 1
      }
    }
  }

  private let rule: Rule
  private let turns = Turns()
  private let stage = Stage()
  private let origin: Int
  private var model: any NaiveModel
  private var tool: (any PacingTool<Int>)?
  private var sent = 0
  private var running = 0
  private var decided = [Int]()
  /// What is held has been due since, and would be delivered if there were room.
  private var isOverdue = false

  init(_ scene: Scene, _ random: inout SplitMix64) {
    let rule = Rule.allCases.randomElement(using: &random)!
    let wait = Int.random(in: 0...10, using: &random)
    let window = Duration.milliseconds(wait)
    let clock = scene.clock
    self.rule = rule
    origin = clock.now.milliseconds
    let kind = Int.random(in: 0..<3, using: &random)
    switch kind {
    case 0: model = NaiveDebounce(wait: wait, maximumWait: nil, edges: .trailing)
    case 1: model = NaiveThrottle(interval: wait, edges: .both, keepsFirst: false)
    default: model = NaiveAudit(window: wait)
    }
    super.init(scene)
    let stage = stage
    let handler: @Sendable (isolated Stage, Int) async -> Void = { [journal, turns] _, value in
      journal.note(value)
      await turns.wait()
    }
    switch kind {
    case 0:
      tool = Debouncer(
        for: window, overlap: rule.overlap, on: stage, clock: clock, handler: handler)
    case 1:
      tool = Throttler(
        every: window, overlap: rule.overlap, on: stage, clock: clock, handler: handler)
    default:
      tool = Auditor(
        for: window, overlap: rule.overlap, on: stage, clock: clock, handler: handler)
    }
  }

  /// How often a run should have come to the stage: when it began, and when it went on.
  private var arrivals = 0
  private var arrived = 0

  /// Waits until those have come that should have, and lets them do what they came for.
  ///
  /// - Returns: Whether they came, and no others.
  func arrive() async -> Bool {
    while arrived < arrivals {
      // One may bring about the next, so what has come runs first.
      guard await stage.executor.arrivals(atLeast: arrived + 1) else { return false }
      arrived += stage.executor.run()
    }
    return arrived == arrivals
  }

  override var dueTime: Int? { isOverdue ? nil : model.dueTime.map { $0 + origin } }

  override func settle(at time: Int) {
    while isOverdue || dueTime.map({ $0 <= time }) ?? false {
      guard let held = model.held else { return }
      if rule == .dropNew, running > 0 {
        model.deliver(at: time - origin)
        continue
      }
      isOverdue = decided.count + running >= rule.capacity
      if isOverdue { return }
      decide(held, at: time)
    }
  }

  private func decide(_ held: Int, at time: Int) {
    model.deliver(at: time - origin)
    decided.append(held)
    begin()
  }

  private func begin() {
    while running < rule.concurrency, !decided.isEmpty {
      running += 1
      arrivals += 1
      // However long ago that was decided, it is now that it comes to the stage.
      expect(decided.removeFirst(), at: now)
    }
  }

  private func goOn() {
    guard turns.goOn() else { return }
    arrivals += 1
    running -= 1
    begin()
    settle(at: now)
  }

  override func call(_ random: inout SplitMix64) -> Bool {
    guard let tool else { return true }
    switch Int.random(in: 0..<12, using: &random) {
    case 0..<6:
      settle(at: now)
      model.send(sent, at: now - origin)
      settle(at: now)
      tool.send(sent)
      sent += 1
    case 6:
      let held = model.held ?? decided.last
      model.cancel()
      decided = []
      isOverdue = false
      return tool.cancel() == held
    default: goOn()
    }
    return true
  }

  override var isConsistent: Bool {
    guard let tool else { return true }
    let counts = tool.statistics
    let pending = decided.count + (model.held == nil ? 0 : 1)
    return counts.pending == pending && counts.received == sent
      && sent == counts.delivered + counts.merged + counts.dropped + counts.pending
  }

  override var description: String {
    "AsyncSubject of \(rule), \(model), \(running) running, \(decided) decided"
  }

  override func end() {
    tool?.cancel()
    model.cancel()
    decided = []
    isOverdue = false
    while running > 0 { goOn() }
    tool = nil
  }
}
