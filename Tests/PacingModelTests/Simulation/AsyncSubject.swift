import Pacing
import PacingTesting
import TestSupport

/// A tool with a slow async handler, or one for calls whose callers wait for the outcome and
/// sometimes leave.
///
/// It runs under each rule for overlapping runs, against a naive model and a list of running and
/// decided deliveries.
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

    /// The maximum number of running and decided deliveries.
    var capacity: Int {
      switch self {
      case .queue1, .concurrent2: 2
      case .queue3: 4
      case .dropNew: .max
      default: 1
      }
    }
  }

  private typealias Outcome = AsyncTool.Outcome

  /// A run that has started.
  private struct Running {
    let value: Int
    var isCancelled = false
    /// The caller's task was cancelled.
    var isLeft = false
  }

  private let rule: Rule
  private let turns = Turns()
  private let stage = Stage()
  private let origin: Int
  private var model: any NaiveModel
  private var tool: AsyncTool?
  private let kind: AsyncTool.Kind
  private let settings: AsyncTool.Settings
  private var isCalled: Bool { kind == .callDebouncer || kind == .callThrottler }
  private var sent = 0
  private var isSuspended = false
  private var isFinished = false
  private var running = [Running]()
  private var decided = [Int]()
  private var callers: [Int: Task<Void, Never>] = [:]
  /// The held value is overdue, and is delivered once there is room.
  private var isOverdue = false
  /// A flush delivers the held value.
  private var isFlushed = false

  init(_ scene: Scene, _ random: inout SplitMix64) {
    rule = Rule.allCases.randomElement(using: &random)!
    let wait = Int.random(in: 0...10, using: &random)
    kind = AsyncTool.Kind.allCases.randomElement(using: &random)!
    let limit = Bool.random(using: &random) ? Int.random(in: 0...25, using: &random) : nil
    let isKept = kind == .debouncer || kind == .throttler
    settings = AsyncTool.Settings(
      wait: wait, edges: .random(&random), maximumWait: limit,
      keeping: isKept ? Keeping.allCases.randomElement(using: &random)! : .latest,
      overlap: rule.overlap)
    origin = scene.clock.now.milliseconds
    switch kind {
    case .debouncer, .callDebouncer:
      model = NaiveDebounce(wait: wait, maximumWait: limit, edges: settings.edges)
    case .throttler, .callThrottler:
      model = NaiveThrottle(interval: wait, edges: settings.edges, keepsFirst: false)
    case .auditor: model = NaiveAudit(window: wait)
    case .sampler: model = NaiveSample(period: wait + 1)
    }
    super.init(scene)
    tool = AsyncTool(kind, settings, on: stage, turns: turns, journal: journal)
  }

  /// Runs what has arrived at the stage, and whatever follows from that; the journal tells which
  /// runs have begun.
  func arrive() {
    while stage.executor.run() { clock.runReady() }
  }

  // MARK: The oracle

  override var dueTime: Int? {
    isHeldBack || isOverdue ? nil : model.dueTime.map { $0 + origin }
  }

  /// Whether deadlines have no effect.
  private var isHeldBack: Bool { isSuspended && !isFlushed && !isFinished }

  override func settle(at time: Int) {
    if isHeldBack, let due = model.dueTime, due + origin <= time { isOverdue = true }
    while !isHeldBack, isOverdue || dueTime.map({ $0 <= time }) ?? false {
      guard let held = model.held else { return }
      if rule == .dropNew, !running.isEmpty {
        decide(at: time)
        tell(held, Outcome.superseded, at: time)
        continue
      }
      isOverdue = isBusy
      if isOverdue {
        if rule == .cancelPrevious, !running.isEmpty { running[0].isCancelled = true }
        return
      }
      decide(at: time)
      decided.append(held)
      begin()
    }
  }

  /// Whether there is no room for another run.
  private var isBusy: Bool { decided.count + running.count >= rule.capacity }

  private func decide(at time: Int) {
    isFlushed ? model.flush(at: time - origin) : model.deliver(at: time - origin)
    (isOverdue, isFlushed) = (false, false)
  }

  private func begin() {
    while running.count < rule.concurrency, !decided.isEmpty {
      // A run arrives at the stage now, regardless of when it was decided.
      let value = decided.removeFirst()
      running.append(Running(value: value))
      expect(value, at: now)
    }
  }

  /// Tells the caller the outcome of its call.
  private func tell(_ value: Int, _ outcome: Int, at time: Int? = nil) {
    callers[value] = nil
    if isCalled { expect(outcome, lane: AsyncTool.lane(of: value), at: time ?? now) }
  }

  private func withdrawHeld() {
    guard let held = model.held else { return }
    tell(held, Outcome.cancelled)
    model.cancel()
    (isOverdue, isFlushed) = (false, false)
  }

  private func withdraw(_ values: [Int]) {
    for value in values { tell(value, Outcome.cancelled) }
  }

  // MARK: The calls

  /// Ends the run that has waited longest.
  private func goOn() {
    guard turns.goOn() else { return }
    // If values that fell due meanwhile are dropped, a late timer does not change that.
    if rule == .dropNew { settle(at: now) }
    let run = running.removeFirst()
    let value = run.value
    let wasCancelled = run.isCancelled || run.isLeft
    expect(
      AsyncTool.end(of: value, wasCancelled: wasCancelled), lane: AsyncTool.ends, at: now)
    if wasCancelled {
      tell(value, run.isLeft ? Outcome.cancelled : Outcome.superseded)
    } else {
      tell(value, AsyncTool.fails(value) ? Outcome.failed : Outcome.executed)
    }
    begin()
    settle(at: now)
  }

  override func call(_ random: inout SplitMix64) -> Bool {
    guard let tool else { return true }
    switch Int.random(in: 0..<16, using: &random) {
    case 0..<6: send(tool)
    case 6: return cancel(tool)
    case 7:
      settle(at: now)
      // A value after a deferred flush starts another burst; the model supports only one at a time.
      if isBusy, model is NaiveDebounce, settings.edges != .trailing {
        tool.suspend(isSuspended)
        return true
      }
      let isHeld = model.held != nil
      if isHeld { (isOverdue, isFlushed) = (true, true) }
      settle(at: now)
      return tool.flush() == isHeld
    case 8 where kind != .sampler:
      settle(at: now)
      let wait = Int.random(in: 0...10, using: &random)
      model.adjust(wait: wait)
      tool.adjust(wait: wait)
    case 12:
      settle(at: now)
      isSuspended.toggle()
      settle(at: now)
      tool.suspend(isSuspended)
    case 10 where isCalled: leave(&random)
    case 11 where sent > 40 && !isFinished: finish(.perhaps(&random), tool)
    default: goOn()
    }
    return true
  }

  private func send(_ tool: AsyncTool) {
    settle(at: now)
    let value = sent
    sent += 1
    callers[value] = tool.send(value, journal)
    guard !isFinished else { return tell(value, Outcome.cancelled) }
    let pending = model.held
    take(settings.keeping.value(value, after: pending))
    if model.held == value {
      if let pending { tell(pending, Outcome.superseded) }
    } else {
      tell(value, Outcome.superseded)
    }
    settle(at: now)
  }

  private func take(_ value: Int) {
    guard isHeldBack else { return model.send(value, at: now - origin) }
    if model.sendWhileSuspended(value, at: now - origin) { isOverdue = false }
  }

  private func finish(_ finish: Finish?, _ tool: AsyncTool) {
    settle(at: now)
    isFinished = true
    switch finish ?? kind.usualFinish {
    case .whenDue: break
    case .atOnce: if model.held != nil { (isOverdue, isFlushed) = (true, true) }
    case .discard: withdrawHeld()
    }
    settle(at: now)
    tool.finish(finish)
  }

  private func cancel(_ tool: AsyncTool) -> Bool {
    let held = model.held
    let newest = held ?? decided.last
    withdraw(decided)
    if let held { withdraw([held]) }
    model.cancel()
    decided = []
    (isOverdue, isFlushed) = (false, false)
    return tool.cancel() == newest
  }

  /// Cancels the task of one of the callers.
  private func leave(_ random: inout SplitMix64) {
    guard let value = callers.keys.sorted().randomElement(using: &random) else { return }
    callers[value]?.cancel()
    if let index = running.firstIndex(where: { $0.value == value }) {
      running[index].isLeft = true
      return
    }
    if model.held == value {
      isFlushed ? model.cancel() : model.leave()
      (isOverdue, isFlushed) = (false, false)
    }
    decided.removeAll { $0 == value }
    tell(value, Outcome.cancelled)
    // Withdrawing a decided run makes room: the timer of an overdue one fires immediately.
    if isOverdue { settle(at: now) }
  }

  override var isConsistent: Bool {
    guard let tool, let counts = tool.statistics else { return true }
    let pending = decided.count + (model.held == nil ? 0 : 1)
    return counts.pending == pending && counts.received == sent
      && sent == counts.delivered + counts.merged + counts.dropped + counts.pending
      && tool.pending == model.held ?? decided.last
  }

  override var description: String {
    "AsyncSubject of \(rule), \(kind), \(settings), \(model), \(running), \(decided)"
  }

  override func end() {
    if let tool { _ = cancel(tool) }
    tool = nil
  }

  override func goOnAtEnd() -> Bool {
    guard !running.isEmpty else { return false }
    goOn()
    return true
  }
}
