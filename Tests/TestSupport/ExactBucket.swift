import Pacing

/// A bucket that remembers everything, as an oracle: it computes each answer from the whole
/// history.
///
/// A step is the time of one token divided by the rate's tokens, so that a step refills one of
/// `parts` equal parts of a token, and every instant is a whole number of steps. To find where a
/// cost fits, it tries each step.
struct ExactBucket {
  private enum Kind {
    case spend(name: Int, cost: Int)
    case add(Int)
    case drain
  }

  private struct Event {
    var step: Int
    /// An event decided before its time precedes actions at that time.
    var order: (Int, Int)
    var kind: Kind
  }

  let steps: Int
  let parts: Int
  let burst: Int
  private let initial: Int
  private(set) var now = 0
  private var history = [Event]()
  private var count = 0
  private var queue = [(name: Int, cost: Int)]()
  private var pausedUntil = 0
  /// The served waiters, each with the nanosecond in which the grant is observable.
  private(set) var served = [(name: Int, at: Int)]()

  /// A rate of `tokens` per `nanoseconds`, not necessarily reduced.
  init(tokens: Int, nanoseconds: Int, burst: Int, initial: Int) {
    steps = tokens
    parts = nanoseconds
    self.burst = burst
    self.initial = initial
  }

  // MARK: Queries

  var waiting: [Int] { queue.map(\.name) }

  /// The balance, less the costs of reservations and waiters.
  var available: Int {
    let level = levels(of: history, until: now).last?.level ?? 0
    let whole = (level - (level % parts + parts) % parts) / parts
    return whole - spends(after: now).reduce(0) { $0 + $1.cost } - queue.reduce(0) { $0 + $1.cost }
  }

  /// The step at which a new caller would be served, by trial.
  func dueAt(_ cost: Int) -> Int {
    var copy = self
    copy.queue.append((-1, cost))
    copy.serve()
    while copy.queue.contains(where: { $0.name == -1 }) { copy.step() }
    return copy.now
  }

  /// The first nanosecond at which a request is granted.
  func nanosecond(for cost: Int) -> Int {
    var copy = self
    while !copy.queue.isEmpty { copy.step() }
    while copy.now % steps != 0 || !copy.fits(cost, at: copy.now) { copy.now += 1 }
    return copy.now / steps
  }

  /// The nanosecond in which a step ends.
  func nanosecond(of step: Int) -> Int { (step + steps - 1) / steps }

  // MARK: Verbs

  mutating func advance(to nanosecond: Int) {
    while now < nanosecond * steps { step() }
  }

  mutating func tryAcquire(_ cost: Int) -> Bool {
    if cost == 0 { return true }
    guard queue.isEmpty, fits(cost, at: now) else { return false }
    spend(cost)
    return true
  }

  mutating func wait(_ name: Int, cost: Int) {
    queue.append((name, cost))
    serve()
  }

  mutating func leave(_ name: Int) {
    queue.removeAll { $0.name == name }
    serve()
  }

  /// Spends at the earliest step that fits, and returns that step.
  mutating func reserve(_ name: Int, cost: Int) -> Int {
    let step = dueAt(cost)
    insert(.spend(name: name, cost: cost), at: step)
    return step
  }

  /// Corrects the cost of a spend retroactively.
  mutating func correct(_ name: Int, cost: Int) {
    for index in history.indices {
      if case .spend(name, _) = history[index].kind {
        history[index].kind = .spend(name: name, cost: cost)
      }
    }
    serve()
  }

  mutating func spend(_ cost: Int) {
    insert(.spend(name: -2, cost: cost), at: now)
    serve()
  }

  mutating func add(_ tokens: Int) {
    insert(.add(tokens), at: now)
    serve()
  }

  mutating func drain() {
    insert(.drain, at: now)
  }

  mutating func pause(until nanosecond: Int) {
    pausedUntil = max(pausedUntil, nanosecond * steps)
  }

  // MARK: How

  private mutating func step() {
    now += 1
    serve()
  }

  private mutating func serve() {
    while let first = queue.first, fits(first.cost, at: now) {
      insert(.spend(name: first.name, cost: first.cost), at: now)
      queue.removeFirst()
      served.append((first.name, nanosecond(of: now)))
    }
  }

  private mutating func insert(_ kind: Kind, at step: Int) {
    count += 1
    let order = (step > now || step % steps != 0 ? 0 : 1, count)
    history.append(Event(step: step, order: order, kind: kind))
    history.sort { ($0.step, $0.order.0, $0.order.1) < ($1.step, $1.order.0, $1.order.1) }
  }

  private func spends(after step: Int) -> [(step: Int, cost: Int)] {
    history.compactMap {
      guard $0.step > step, case .spend(_, let cost) = $0.kind else { return nil }
      return ($0.step, cost)
    }
  }

  /// Whether a cost fits at a step: it is available, and no later reservation is affected.
  private func fits(_ cost: Int, at step: Int) -> Bool {
    guard step >= pausedUntil else { return false }
    var copy = self
    copy.now = step
    copy.insert(.spend(name: -3, cost: cost), at: step)
    let before = levels(of: history, until: nil).filter { $0.step > step }
    let after = copy.levels(of: copy.history, until: nil)
    guard let own = after.last(where: { $0.step == step }), own.level >= 0 else { return false }
    return zip(before, after.filter { $0.step > step }).allSatisfy { before, after in
      after.level >= 0 || after.level == before.level
    }
  }

  /// The level in parts after each event, and at the end.
  private func levels(of history: [Event], until end: Int?) -> [(step: Int, level: Int)] {
    var level = initial * parts
    var last = 0
    var levels = [(step: Int, level: Int)]()
    for event in history where event.step <= end ?? .max {
      level = min(level + event.step - last, burst * parts)
      last = event.step
      switch event.kind {
      case .spend(_, let cost): level -= cost * parts
      case .add(let tokens): level = min(level + tokens * parts, burst * parts)
      case .drain: level = min(level, 0)
      }
      levels.append((event.step, level))
    }
    if let end { levels.append((end, min(level + end - last, burst * parts))) }
    return levels
  }
}
