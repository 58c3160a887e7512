import Pacing

/// A bucket simulated step by step, as an oracle: nothing is calculated ahead.
///
/// A step is the time of one token divided by the rate's tokens, so that each step refills a whole
/// number of parts, `parts` of which are a token.
struct NaiveBucket {
  let steps: Int
  let parts: Int
  let burst: Int
  /// The nanoseconds between the instants at which tokens arrive, nil if they arrive continuously.
  private let period: Int?
  private(set) var level: Int
  private(set) var now = 0
  private var queue = [(name: Int, cost: Int)]()
  /// The served waiters, each with the nanosecond in which the grant is observable.
  private(set) var served = [(name: Int, at: Int)]()

  /// A rate of `tokens` per `nanoseconds`, not necessarily reduced.
  init(tokens: Int, nanoseconds: Int, burst: Int, initial: Int, period: Int? = nil) {
    steps = tokens
    parts = nanoseconds
    self.burst = burst
    self.period = period
    level = initial * nanoseconds
  }

  var available: Int {
    Int((Double(level) / Double(parts)).rounded(.down)) - queue.reduce(0) { $0 + $1.cost }
  }
  var waiting: [Int] { queue.map(\.name) }

  mutating func advance(to nanosecond: Int) {
    while now < nanosecond {
      if period == nil {
        for _ in 0..<steps { refill(1) }
      } else if let period, (now + 1).isMultiple(of: period) {
        refill(period * steps)
      }
      now += 1
    }
  }

  /// Adds parts in the nanosecond that begins now.
  private mutating func refill(_ count: Int) {
    level = min(level + count, burst * parts)
    serve(in: now + 1)
  }

  mutating func tryAcquire(_ cost: Int) -> Bool {
    if cost == 0 { return true }
    guard queue.isEmpty, level >= cost * parts else { return false }
    level -= cost * parts
    return true
  }

  mutating func wait(_ name: Int, cost: Int) {
    queue.append((name, cost))
    serve(in: now)
  }

  mutating func leave(_ name: Int) {
    queue.removeAll { $0.name == name }
    serve(in: now)
  }

  /// The nanosecond in which a new waiter would be served, by trial.
  func dueAt(cost: Int) -> Int {
    var copy = self
    copy.wait(-1, cost: cost)
    while copy.served.last?.name != -1 { copy.advance(to: copy.now + 1) }
    return copy.now
  }

  private mutating func serve(in nanosecond: Int) {
    while let first = queue.first, level >= first.cost * parts {
      level -= first.cost * parts
      queue.removeFirst()
      served.append((first.name, nanosecond))
    }
  }
}
