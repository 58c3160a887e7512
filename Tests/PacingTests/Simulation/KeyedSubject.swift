import Pacing
import PacingTesting
import TestSupport

/// A keyed debouncer or throttler beside one naive model a key.
final class KeyedSubject: Subject {
  private var models: [any NaiveModel]
  private var tool: (any KeyedPacingTool<Int, Int>)?
  private let origin: Int
  private var sent = 0

  init(_ scene: Scene, _ random: inout SplitMix64) {
    let wait = Int.random(in: 0...20, using: &random)
    let edges = [Edges.leading, .trailing, .both].randomElement(using: &random)!
    let keys = Int.random(in: 1...5, using: &random)
    let isDebouncer = Bool.random(using: &random)
    let clock = scene.clock
    let model: any NaiveModel =
      isDebouncer
      ? NaiveDebounce(wait: wait, maximumWait: nil, edges: edges)
      : NaiveThrottle(interval: wait, edges: edges, keepsFirst: false)
    models = Array(repeating: model, count: keys)
    origin = clock.now.milliseconds
    super.init(scene)
    let journal = journal
    let note: @Sendable (Int, Int) -> Void = { journal.note($1, lane: $0) }
    let window = Duration.milliseconds(wait)
    tool =
      isDebouncer
      ? KeyedDebouncer(for: window, edges: edges, clock: clock, handler: note)
      : KeyedThrottler(every: window, edges: edges, clock: clock, handler: note)
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
    switch Int.random(in: 0..<14, using: &random) {
    case 0..<9:
      settle(at: now)
      models[key].send(sent, at: now - origin)
      settle(at: now)
      tool.send(sent, key: key)
      sent += 1
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
    default:
      let held = models.indices.compactMap { key in models[key].held.map { (key, $0) } }
      for key in models.indices { models[key].cancel() }
      return tool.cancel() == Dictionary(uniqueKeysWithValues: held)
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

  override func end() {
    tool = nil
    for key in models.indices { models[key].cancel() }
  }
}
