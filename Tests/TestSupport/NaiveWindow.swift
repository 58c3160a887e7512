import Pacing

/// A window by its definition, event by event, as an oracle.
struct NaiveWindow {
  enum Kind { case sliding, fixedFromFirstEvent, fixedFromCreation }

  let kind: Kind
  let count: Int
  let length: Int
  private(set) var events = [(at: Int, cost: Int)]()

  init(_ kind: Kind, _ count: Int, per length: Int) {
    self.kind = kind
    self.count = count
    self.length = length
  }

  func used(at now: Int) -> Int {
    switch kind {
    case .sliding:
      events.filter { $0.at > now - length }.reduce(0) { $0 + $1.cost }
    case .fixedFromCreation:
      events.filter { $0.at / length == now / length }.reduce(0) { $0 + $1.cost }
    case .fixedFromFirstEvent:
      start(at: now).map { start in
        events.filter { $0.at >= start }.reduce(0) { $0 + $1.cost }
      } ?? 0
    }
  }

  /// The first event of the window open at `now`.
  private func start(at now: Int) -> Int? {
    var start: Int?
    for event in events where start.map({ event.at >= $0 + length }) ?? true { start = event.at }
    return start.flatMap { now < $0 + length ? $0 : nil }
  }

  func allows(_ cost: Int, at now: Int) -> Bool { used(at: now) + cost <= count }

  mutating func tryAcquire(_ cost: Int, at now: Int) -> Bool {
    guard allows(cost, at: now) else { return false }
    if cost > 0 { events.append((now, cost)) }
    return true
  }
}
