import Pacing
import PacingTesting
import TestSupport

/// A keyed debouncer or throttler beside one naive model a key.
final class KeyedSubject: Subject {
  private let keeping: Keeping
  private let varies: Bool
  private var wait: Int
  private var models: [any NaiveModel]
  private var tool: (any KeyedPacingTool<Int, Int>)?
  private let origin: Int
  private var sent = 0
  private var isEnabled = true
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
    let keys = Int.random(in: 1...5, using: &random)
    let isDebouncer = Bool.random(using: &random)
    let clock = scene.clock
    let model: any NaiveModel =
      isDebouncer
      ? NaiveDebounce(wait: wait, maximumWait: limit, edges: edges)
      : NaiveThrottle(interval: wait, edges: edges, keepsFirst: false)
    models = Array(repeating: model, count: keys)
    origin = clock.now.milliseconds
    super.init(scene)
    let journal = journal
    let note: @Sendable (Int, Int) -> Void = { journal.note($1, lane: $0) }
    let window = Duration.milliseconds(wait)
    tool =
      isDebouncer
      ? KeyedDebouncer(
        for: window, edges: edges, maximumWait: maximum, keeping: keep,
        varying: varies ? rule : nil,
        clock: clock, handler: note)
      : KeyedThrottler(
        every: window, edges: edges, keeping: keep, varying: varies ? rule : nil, clock: clock,
        handler: note)
  }

  private func dueTime(_ key: Int) -> Int? { models[key].dueTime.map { $0 + origin } }

  override var dueTime: Int? { models.indices.compactMap(dueTime).min() }

  override func settle(at time: Int) {
    for key in models.indices {
      while let due = dueTime(key), due <= time { deliver(key, at: time) }
    }
  }

  private func deliver(_ key: Int, at time: Int, flushing: Bool = false) {
    guard let held = models[key].held else { return }
    expect(held, lane: key, at: time)
    flushing ? models[key].flush(at: time - origin) : models[key].deliver(at: time - origin)
  }

  override func call(_ random: inout SplitMix64) -> Bool {
    guard let tool else { return true }
    let key = models.indices.randomElement(using: &random)!
    switch Int.random(in: 0..<17, using: &random) {
    case 0..<9:
      send(key)
      return true
    case 9:
      settle(at: now)
      let isHeld = models[key].held != nil
      deliver(key, at: now, flushing: true)
      return tool.flush(key) == isHeld
    case 10:
      settle(at: now)
      let isHeld = models.contains { $0.held != nil }
      for key in models.indices { deliver(key, at: now, flushing: true) }
      return tool.flush() == isHeld
    case 11, 12:
      let held = models[key].held
      models[key].cancel()
      return tool.cancel(key) == held
    case 13 where sent > 20: finish(.random(&random))
    case 14, 15: adjust(&random)
    default:
      let held = models.indices.compactMap { key in models[key].held.map { (key, $0) } }
      for key in models.indices { models[key].cancel() }
      return tool.cancel() == Dictionary(uniqueKeysWithValues: held)
    }
    return true
  }

  private func send(_ key: Int) {
    settle(at: now)
    if isEnabled, !isFinished {
      if varies, let own = Varying.wait(of: sent) { models[key].adjust(wait: own) }
      models[key].send(keeping.value(sent, after: models[key].held), at: now - origin)
      models[key].adjust(wait: wait)
      settle(at: now)
    }
    tool?.send(sent, key: key)
    sent += 1
  }

  private func finish(_ finish: Finish) {
    guard !isFinished else { return }
    settle(at: now)
    isFinished = true
    for key in models.indices {
      if finish == .atOnce || finish == .deliver && models[key] is NaiveDebounce {
        deliver(key, at: now, flushing: true)
      } else if finish == .discard {
        models[key].cancel()
      }
    }
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
      isEnabled.toggle()
      tool?.isEnabled = isEnabled
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

  override var isConsistent: Bool {
    guard let tool else { return true }
    let counts = tool.statistics
    let pending = models.count { $0.held != nil }
    return counts.pending == pending && counts.received == sent
      && sent == counts.delivered + counts.merged + counts.dropped + pending
      && models.indices.allSatisfy { tool.pending($0) == models[$0].held }
  }

  override var description: String { "KeyedSubject of \(models), \(sent) sent" }

  override func end() {
    // What was left by finish() would outlive the tool.
    _ = tool?.cancel()
    tool = nil
    for key in models.indices { models[key].cancel() }
  }
}
