import Pacing
import PacingTesting
import TestSupport

/// A keyed debouncer or throttler against one naive model per key: with a handler, or with a slow
/// reader of its stream.
final class KeyedSubject: Subject {
  private let keeping: Keeping
  private let varies: Bool
  private var wait: Int
  private var models: [any NaiveModel]
  private var tool: (any KeyedPacingTool<Int, Int>)?
  private var reader: KeyedReader?
  private var naiveLimit: NaiveKeyLimit
  /// Keys whose values went to the handler in this call, in use until it starts.
  private var underWay = Set<Int>()
  private let origin: Int
  private var sent = 0
  private var isSuspended = false
  /// When the values fell due that became so while the tool was suspended, by key.
  private var overdue = [Int: Int]()
  private var isFinished = false

  init(_ scene: Scene, _ random: inout SplitMix64) {
    let wait = Int.random(in: 0...20, using: &random)
    self.wait = wait
    let edges = Edges.random(&random)
    let limit = Bool.random(using: &random) ? Int.random(in: 0...25, using: &random) : nil
    let maximum = limit.map { Duration.milliseconds($0) }
    keeping = Keeping.allCases.randomElement(using: &random)!
    varies = Bool.random(using: &random)
    let keep = keeping.keep
    let rule: @Sendable (Int, Int) -> Duration? = { _, value in Varying.rule(value) }
    let isDebouncer = Bool.random(using: &random)
    naiveLimit = NaiveKeyLimit(isDebouncer: isDebouncer, edges: edges, using: &random)
    let (most, whenFull) = (naiveLimit.maximumKeys, naiveLimit.whenFull)
    let clock = scene.clock
    let model: any NaiveModel =
      isDebouncer
      ? NaiveDebounce(wait: wait, maximumWait: limit, edges: edges)
      : NaiveThrottle(interval: wait, edges: edges, keepsFirst: false)
    models = Array(repeating: model, count: .random(in: 1...6, using: &random))
    origin = clock.now.milliseconds
    super.init(scene)
    let journal = journal
    let note: @Sendable (Int, Int) -> Void = { journal.note($1, lane: $0) }
    let window = Duration.milliseconds(wait)
    let varying = varies ? rule : nil
    let isRead = Bool.random(using: &random)
    switch (isDebouncer, isRead) {
    case (true, false):
      tool = KeyedDebouncer(
        for: window, edges: edges, maximumWait: maximum, keeping: keep, varying: varying,
        maximumKeys: most, whenFull: whenFull, clock: clock, handler: note)
    case (true, true):
      tool = KeyedDebouncer(
        for: window, edges: edges, maximumWait: maximum, keeping: keep, varying: varying,
        maximumKeys: most, whenFull: whenFull, clock: clock)
    case (false, false):
      tool = KeyedThrottler(
        every: window, edges: edges, keeping: keep, varying: varying, maximumKeys: most,
        whenFull: whenFull, clock: clock, handler: note)
    case (false, true):
      tool = KeyedThrottler(
        every: window, edges: edges, keeping: keep, varying: varying, maximumKeys: most,
        whenFull: whenFull, clock: clock)
    }
    if isRead { reader = tool.map { KeyedReader(journal, $0.ticks()) } }
  }

  // MARK: The oracle

  private func dueTime(_ key: Int) -> Int? {
    overdue[key] ?? models[key].dueTime.map { $0 + origin }
  }

  /// When the next value falls due, although the tool may be suspended.
  private var earliest: Int? { models.indices.compactMap(dueTime).min() }

  override var dueTime: Int? { isSuspended && !isFinished ? nil : earliest }

  override func settle(at time: Int) {
    if isSuspended {
      for key in models.indices {
        if let due = dueTime(key), due <= time { overdue[key] = due }
      }
    }
    while let due = dueTime, due <= time {
      deliver(models.indices.filter { dueTime($0) == due }, at: time)
    }
    endIfOver(at: time)
  }

  private func deliver(_ keys: [Int], at time: Int, flushing: Bool = false) {
    let values = keys.compactMap { key in models[key].held.map { (key: key, value: $0) } }
    for (key, value) in values {
      naiveLimit.deliver(key, flushing: flushing, at: time)
      flushing ? models[key].flush(at: time - origin) : models[key].deliver(at: time - origin)
      overdue[key] = nil
      guard reader == nil else { continue }
      expect(value, lane: key, at: time)
      underWay.insert(key)
    }
    reader?.offer(values, at: time)
  }

  private func endIfOver(at time: Int) {
    if isFinished, models.allSatisfy({ $0.held == nil }) { reader?.finish(at: time) }
  }

  override func difference() -> String? {
    reader?.settle(in: self)
    return super.difference()
  }

  // MARK: The calls

  override func call(_ random: inout SplitMix64) -> Bool {
    guard let tool else { return true }
    underWay = []
    let key = models.indices.randomElement(using: &random)!
    switch Int.random(in: 0..<21, using: &random) {
    case 0..<9:
      send(key)
      return true
    case 9:
      settle(at: now)
      let isHeld = models[key].held != nil
      deliver([key], at: now, flushing: true)
      endIfOver(at: now)
      return tool.flush(for: key) == isHeld
    case 10:
      settle(at: now)
      let isHeld = models.contains { $0.held != nil }
      deliver(Array(models.indices), at: now, flushing: true)
      endIfOver(at: now)
      return tool.flush() == isHeld
    case 11, 12:
      let waiting = reader?.withdraw(key)[key]
      let held = models[key].held
      cancelModel(key)
      endIfOver(at: now)
      return tool.cancel(for: key) == held ?? waiting
    case 13 where sent > 20: finish(.perhaps(&random))
    case 14, 15: adjust(&random)
    case 16: return tool.cancel() == withdrawAll()
    case 17 where sent > 40: reader?.cancel(at: now)
    default: reader?.goOn(at: now)
    }
    return true
  }

  /// The newest value of each key that has not reached a handler or the reader.
  private func withdrawAll() -> [Int: Int] {
    var withdrawn = reader?.withdraw() ?? [:]
    for key in models.indices {
      if let held = models[key].held { withdrawn[key] = held }
      cancelModel(key)
    }
    endIfOver(at: now)
    return withdrawn
  }

  private func cancelModel(_ key: Int) {
    models[key].cancel()
    overdue[key] = nil
    naiveLimit.cancel(key)
  }

  private func send(_ key: Int) {
    guard let tool else { return }
    settle(at: now)
    let isTaken = !isFinished && makesRoom(for: key)
    let victims = isTaken ? nextVictims(for: key) : []
    tool.send(sent, for: key)
    // Which of the keys due at one instant makes room is unspecified.
    clock.runReady()
    if let victim = victims.first(where: { tool.pending(for: $0) == nil }) ?? victims.first {
      deliver([victim], at: now, flushing: true)
    }
    if isTaken { take(key) }
    sent += 1
  }

  private func isInUse(_ key: Int) -> Bool {
    models[key].held != nil || underWay.contains(key) || naiveLimit.hasWindow(key, at: now)
  }

  /// A key that makes room by a flush is among those that wait, not one that is under way.
  private func isFull(for key: Int) -> Bool {
    let others = models.indices.filter { !naiveLimit.flushes || !underWay.contains($0) }
    return !isInUse(key) && others.count(where: isInUse) >= naiveLimit.maximum
  }

  private func makesRoom(for key: Int) -> Bool { naiveLimit.flushes || !isFull(for: key) }

  /// The keys of which one is delivered to make room.
  private func nextVictims(for key: Int) -> [Int] {
    guard isFull(for: key) else { return [] }
    return models.indices.filter { models[$0].held != nil && dueTime($0) == earliest }
  }

  private func take(_ key: Int) {
    let held = models[key].held
    let own = varies ? Varying.wait(of: sent) : nil
    naiveLimit.send(
      key, waiting: own ?? wait, isHeld: held != nil, isSuspended: isSuspended, at: now)
    models[key].adjust(wait: own ?? wait)
    let value = keeping.value(sent, after: held)
    if !isSuspended {
      models[key].send(value, at: now - origin)
    } else if models[key].sendWhileSuspended(value, at: now - origin) {
      overdue[key] = nil
    }
    models[key].adjust(wait: wait)
    settle(at: now)
  }

  private func finish(_ finish: Finish?) {
    guard !isFinished else { return }
    settle(at: now)
    isFinished = true
    switch finish ?? (models[0] is NaiveDebounce ? .atOnce : .whenDue) {
    case .whenDue: break
    case .atOnce: deliver(Array(models.indices), at: now, flushing: true)
    case .discard: for key in models.indices { cancelModel(key) }
    }
    settle(at: now)
    tool?.finish(finish)
  }

  private func limitWait(of key: Int, to limit: Int) {
    guard var debounce = models[key] as? NaiveDebounce else { return }
    debounce.maximumWait = limit
    models[key] = debounce
  }

  private func adjust(_ random: inout SplitMix64) {
    settle(at: now)
    if Int.random(in: 0..<4, using: &random) == 0 {
      steer()
    } else if let debouncer = tool as? KeyedDebouncer<Int, Int>, Bool.random(using: &random) {
      let limit = Int.random(in: 0...30, using: &random)
      debouncer.maximumWait = .milliseconds(limit)
      for key in models.indices { limitWait(of: key, to: limit) }
    } else {
      wait = .random(in: 0...30, using: &random)
      (tool as? KeyedDebouncer<Int, Int>)?.wait = .milliseconds(wait)
      (tool as? KeyedThrottler<Int, Int>)?.interval = .milliseconds(wait)
      for key in models.indices { models[key].adjust(wait: wait) }
    }
  }

  private func steer() {
    isSuspended.toggle()
    settle(at: now)
    endIfOver(at: now)
    if isSuspended { tool?.suspend() } else { tool?.resume() }
  }

  override var isConsistent: Bool {
    guard let tool else { return true }
    let counts = tool.statistics
    let pending = models.count { $0.held != nil }
    return counts.pending == pending && counts.received == sent && tool.isSuspended == isSuspended
      && tool.keyCount <= naiveLimit.maximum
      && sent == counts.delivered + counts.merged + counts.dropped + pending
      && models.indices.allSatisfy { tool.pending(for: $0) == models[$0].held }
  }

  override var description: String { "KeyedSubject of \(models), \(sent) sent" }

  override func end() {
    // Values that finish() left would outlive the tool.
    _ = tool?.cancel()
    _ = withdrawAll()
    tool = nil
    reader?.finish(at: now)
  }

  override func goOnAtEnd() -> Bool {
    guard let reader, !reader.hasEnded else { return false }
    reader.goOn(at: now)
    return true
  }
}
