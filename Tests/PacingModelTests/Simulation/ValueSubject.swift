import Pacing
import PacingTesting
import TestSupport

/// A debouncer, throttler, auditor or sampler against its naive model: with a handler, with a slow
/// consumer of its stream, or as an operator.
final class ValueSubject: Subject {
  private enum Face: CaseIterable { case handler, stream, sequence }

  private let origin: Int
  private let face: Face
  private let keeping: Keeping
  private let varies: Bool
  private let atEnd: Finish?
  private let onError: Finish
  /// What `finish` does unless it is told.
  private let usualFinish: Finish
  private var wait: Int
  private var model: any NaiveModel
  private var tool: (any ValuePacingTool<Int>)?
  private var consumer: Consumer?
  private let source = Source<Int, Fault>()
  private var sent = 0
  private var ending: Consumer.Ending?
  private var isSuspended = false
  /// The held value fell due while the tool was suspended, and remains overdue.
  private var isOverdue = false

  init(_ scene: Scene, _ random: inout SplitMix64) {
    let face = Face.allCases.randomElement(using: &random)!
    let clock = scene.clock
    self.face = face
    origin = clock.now.milliseconds
    let wait = Int.random(in: 0...20, using: &random)
    self.wait = wait
    let window = Duration.milliseconds(wait)
    let edges = Edges.random(&random)
    (atEnd, onError) = (.perhaps(&random), .random(&random))
    let limit = Bool.random(using: &random) ? Int.random(in: 0...25, using: &random) : nil
    let maximum = limit.map { Duration.milliseconds($0) }
    let kind = Int.random(in: 0..<4, using: &random)
    keeping = kind < 2 ? Keeping.allCases.randomElement(using: &random)! : .latest
    varies = kind < 3 && Bool.random(using: &random)
    let (keep, rule) = (keeping.keep, varies ? Varying.rule : nil)
    switch kind {
    case 0:
      model = NaiveDebounce(wait: wait, maximumWait: limit, edges: edges)
      usualFinish = .atOnce
    case 1:
      model = NaiveThrottle(interval: wait, edges: edges, keepsFirst: false)
      usualFinish = .whenDue
    case 2:
      model = NaiveAudit(window: wait)
      usualFinish = .whenDue
    default:
      model = NaiveSample(period: wait + 1)
      usualFinish = .discard
    }
    super.init(scene)
    let journal = journal
    let note: @Sendable (Int) -> Void = { journal.note($0) }
    let longer = Duration.milliseconds(wait + 1)
    switch (face, kind) {
    case (.handler, 0):
      tool = Debouncer(
        for: window, edges: edges, maximumWait: maximum, keeping: keep, varying: rule,
        clock: clock, handler: note)
    case (.handler, 1):
      tool = Throttler(
        every: window, edges: edges, keeping: keep, varying: rule, clock: clock, handler: note)
    case (.handler, 2): tool = Auditor(for: window, varying: rule, clock: clock, handler: note)
    case (.handler, _): tool = Sampler(every: longer, clock: clock, handler: note)
    case (.stream, 0):
      tool = Debouncer(
        for: window, edges: edges, maximumWait: maximum, keeping: keep, varying: rule,
        clock: clock)
    case (.stream, 1):
      tool = Throttler(every: window, edges: edges, keeping: keep, varying: rule, clock: clock)
    case (.stream, 2): tool = Auditor(for: window, varying: rule, clock: clock)
    case (.stream, _): tool = Sampler(every: longer, clock: clock)
    case (.sequence, 0):
      let values = source.debounced(
        for: window, edges: edges, maximumWait: maximum, keeping: keep, varying: rule,
        atEnd: atEnd, onError: onError, clock: clock)
      consumer = Consumer(journal) { values }
    case (.sequence, 1):
      let values = source.throttled(
        every: window, edges: edges, keeping: keep, varying: rule, atEnd: atEnd,
        onError: onError, clock: clock)
      consumer = Consumer(journal) { values }
    case (.sequence, 2):
      let values = source.audited(
        for: window, varying: rule, atEnd: atEnd, onError: onError, clock: clock)
      consumer = Consumer(journal) { values }
    case (.sequence, _):
      let values = source.sampled(
        every: longer, atEnd: atEnd, onError: onError, clock: clock)
      consumer = Consumer(journal) { values }
    }
    if face == .stream, let ticks = tool?.ticks() { consumer = Consumer(journal) { ticks } }
  }

  // MARK: The oracle

  override var dueTime: Int? {
    isSuspended && ending == nil ? nil : isOverdue ? origin : model.dueTime.map { $0 + origin }
  }

  override func settle(at time: Int) {
    if isSuspended, let due = model.dueTime, due + origin <= time { isOverdue = true }
    while let due = dueTime, due <= time { deliver(at: time) }
    guard let ending, model.held == nil else { return }
    consumer?.finish(ending, at: time, in: self)
    isOver = tool == nil
  }

  private func deliver(at time: Int, flushing: Bool = false) {
    guard let held = model.held else { return }
    if let consumer { consumer.offer(held, at: time, in: self) } else { expect(held, at: time) }
    flushing ? model.flush(at: time - origin) : model.deliver(at: time - origin)
    isOverdue = false
  }

  private func cancelModel() {
    model.cancel()
    isOverdue = false
  }

  // MARK: The calls

  override func call(_ random: inout SplitMix64) -> Bool {
    switch Int.random(in: 0..<20, using: &random) {
    case 0..<9: send()
    case 9, 10: return flush()
    case 11: return cancel()
    case 12 where face != .sequence: steer()
    case 13 where face != .sequence: adjust(&random)
    case 14 where sent > 20: finish(&random)
    case 15 where sent > 20 && face != .handler: leave()
    case 16:
      if let throttler = tool as? Throttler<Int> { return reset(throttler) }
      consumer?.goOn(at: now, in: self)
    default: consumer?.goOn(at: now, in: self)
    }
    return true
  }

  private func send() {
    // An operator whose source has ended receives nothing more.
    if tool == nil, ending != nil { return }
    settle(at: now)
    if ending == nil, tool != nil || consumer?.hasLeft == false {
      if varies, let own = Varying.wait(of: sent) { model.adjust(wait: own) }
      take(keeping.value(sent, after: model.held))
      if varies { model.adjust(wait: wait) }
      settle(at: now)
    }
    if let tool { tool.send(sent) } else { source.send(sent) }
    sent += 1
  }

  private func take(_ value: Int) {
    guard isSuspended else { return model.send(value, at: now - origin) }
    if model.sendWhileSuspended(value, at: now - origin) { isOverdue = false }
  }

  /// Changes a setting, after due deliveries.
  private func adjust(_ random: inout SplitMix64) {
    settle(at: now)
    let time = Int.random(in: 0...30, using: &random)
    let wait = Duration.milliseconds(time)
    let changesLimit = Bool.random(using: &random)
    if let debouncer = tool as? Debouncer<Int>, changesLimit,
      var debounce = model as? NaiveDebounce
    {
      debouncer.maximumWait = wait
      debounce.maximumWait = time
      model = debounce
    } else if Bool.random(using: &random) {
      adjust(edges: .random(&random))
    } else {
      (tool as? Debouncer<Int>)?.wait = wait
      (tool as? Throttler<Int>)?.interval = wait
      (tool as? Auditor<Int>)?.window = wait
      if tool is Sampler<Int> { touch() }
      self.wait = time
      model.adjust(wait: time)
    }
    settle(at: now)
  }

  private func steer() {
    settle(at: now)
    isSuspended.toggle()
    settle(at: now)
    if isSuspended { tool?.suspend() } else { tool?.resume() }
  }

  private func adjust(edges: Edges) {
    if let debouncer = tool as? Debouncer<Int>, var debounce = model as? NaiveDebounce {
      debouncer.edges = edges
      debounce.edges = edges
      model = debounce
    } else if let throttler = tool as? Throttler<Int>, var throttle = model as? NaiveThrottle {
      throttler.edges = edges
      throttle.edges = edges
      model = throttle
    } else {
      touch()
    }
  }

  /// Calls the tool, which changes nothing but decides what is due.
  private func touch() {
    if isSuspended { tool?.suspend() } else { tool?.resume() }
  }

  private func flush() -> Bool {
    guard let tool else { return true }
    settle(at: now)
    let held = model.held
    deliver(at: now, flushing: true)
    settle(at: now)
    return tool.flush() == (held != nil)
  }

  private func cancel() -> Bool {
    guard let tool else { return true }
    let waiting = consumer?.withdraw().last
    let held = model.held ?? waiting
    cancelModel()
    settle(at: now)
    return tool.cancel() == held
  }

  /// Drops the held value, and closes the window.
  private func reset(_ throttler: Throttler<Int>) -> Bool {
    let waiting = consumer?.withdraw().last
    let held = model.held ?? waiting
    if var throttle = model as? NaiveThrottle {
      throttle.reset()
      model = throttle
      isOverdue = false
    }
    settle(at: now)
    return throttler.reset() == held
  }

  private func finish(_ random: inout SplitMix64) {
    guard ending == nil else { return }
    settle(at: now)
    let isFailing = tool == nil && Bool.random(using: &random)
    let finish: Finish? = tool == nil ? (isFailing ? onError : atEnd) : .perhaps(&random)
    ending = isFailing ? .fault : .end
    switch finish ?? usualFinish {
    case .whenDue: break
    case .atOnce: deliver(at: now, flushing: true)
    case .discard: cancelModel()
    }
    settle(at: now)
    if let tool { tool.finish(finish) } else { source.finish(throwing: isFailing ? Fault() : nil) }
  }

  /// Cancels the consumer's task.
  private func leave() {
    consumer?.cancel(at: now, in: self)
    guard tool == nil else { return }
    model.cancel()
    isOver = true
  }

  override var isConsistent: Bool {
    guard let tool else { return true }
    let counts = tool.statistics
    let isWhole =
      counts.received == sent
      && counts.received == counts.delivered + counts.merged + counts.dropped + counts.pending
    return isWhole && tool.isSuspended == isSuspended && tool.isPending == (model.held != nil)
      && tool.pending == model.held
  }

  override var description: String {
    "ValueSubject of \(face), \(model), \(sent) sent, \(tool.map { "\($0.statistics)" } ?? "")"
  }

  override func end() {
    // Values that finish() left would outlive the tool.
    if ending != nil { _ = cancel() }
    consumer?.finish(at: now, in: self)
    model.cancel()
    tool = nil
    source.finish()
    if face == .sequence { consumer?.cancel(at: now, in: self) }
    while let consumer, !consumer.hasEnded {
      consumer.goOn(at: now, in: self)
      clock.runReady()
    }
  }
}
