import Pacing

/// What a tool should do, said as plainly as possible: the oracle of the laws.
///
/// A model keeps the whole history of one run in whole milliseconds, and finds out what is due by
/// looking at it again at every step. Nothing of it is shared with the states.
protocol NaiveModel {
  mutating func send(_ value: Int, at time: Int)
  /// The instant at which the held value is due, nil where none is held.
  var dueTime: Int? { get }
  var held: Int? { get }
  mutating func deliver(at time: Int)
  mutating func cancel()
  /// Tells the model that a flush delivers the held value, whenever it would be due.
  mutating func flush(at time: Int)
}

struct NaiveDebounce: NaiveModel {
  let wait: Int
  let maximumWait: Int?
  let edges: Edges

  /// All values of the burst, in order, and how many of them are settled: delivered or given up.
  private var burst: [(value: Int, time: Int)] = []
  private var settled = 0
  private var quietFrom: Int?
  private(set) var held: Int?

  init(wait: Int, maximumWait: Int?, edges: Edges) {
    self.wait = wait
    self.maximumWait = maximumWait
    self.edges = edges
  }

  mutating func send(_ value: Int, at time: Int) {
    let isNewBurst = quietFrom.map { time >= $0 + wait } ?? true
    quietFrom = time
    if isNewBurst {
      burst = []
      settled = 0
    }
    burst.append((value, time))
    if isNewBurst, edges != .trailing {
      held = value
    } else if edges != .leading {
      held = value
    } else {
      settled = burst.count
    }
  }

  var dueTime: Int? {
    guard held != nil, let last = burst.last else { return nil }
    if edges != .trailing, burst.count == 1 { return last.time }
    let quiet = last.time + wait
    guard let maximumWait else { return quiet }
    return min(quiet, burst[settled].time + max(wait, maximumWait))
  }

  mutating func deliver(at time: Int) {
    held = nil
    settled = burst.count
  }

  mutating func cancel() {
    held = nil
    quietFrom = nil
    burst = []
    settled = 0
  }

  mutating func flush(at time: Int) {
    cancel()
  }
}

struct NaiveThrottle: NaiveModel {
  let interval: Int
  let edges: Edges
  let keepsFirst: Bool

  /// When each window began, and the values that came since, with their times.
  private var windows: [Int] = []
  private(set) var held: Int?
  private var heldSince = 0

  init(interval: Int, edges: Edges, keepsFirst: Bool) {
    self.interval = interval
    self.edges = edges
    self.keepsFirst = keepsFirst
  }

  private func isOpen(at time: Int) -> Bool {
    windows.contains { $0 <= time && time < $0 + interval }
  }

  mutating func send(_ value: Int, at time: Int) {
    if isOpen(at: time), edges == .leading { return }
    if held != nil, keepsFirst { return }
    if held == nil {
      heldSince = time
      if !isOpen(at: time), edges == .trailing { windows.append(time) }
    }
    held = value
  }

  var dueTime: Int? {
    guard held != nil else { return nil }
    let ends = windows.filter { $0 <= heldSince }.map { $0 + interval }
    return max(heldSince, ends.max() ?? heldSince)
  }

  mutating func deliver(at time: Int) {
    held = nil
    windows.append(time)
  }

  mutating func cancel() {
    held = nil
  }

  mutating func flush(at time: Int) {
    deliver(at: time)
  }
}

struct NaiveAudit: NaiveModel {
  let window: Int

  private var values: [(value: Int, time: Int)] = []

  init(window: Int) {
    self.window = window
  }

  var held: Int? { values.last?.value }
  var dueTime: Int? { values.first.map { $0.time + window } }

  mutating func send(_ value: Int, at time: Int) { values.append((value, time)) }
  mutating func deliver(at time: Int) { values = [] }
  mutating func cancel() { values = [] }
  mutating func flush(at time: Int) { values = [] }
}

struct NaiveSample: NaiveModel {
  let period: Int

  private var values: [(value: Int, time: Int)] = []

  init(period: Int) {
    self.period = period
  }

  var held: Int? { values.last?.value }

  /// The first multiple of the period after the first value.
  var dueTime: Int? {
    values.first.map { first in
      (first.time + 1...first.time + period).first { $0.isMultiple(of: period) }!
    }
  }

  mutating func send(_ value: Int, at time: Int) { values.append((value, time)) }
  mutating func deliver(at time: Int) { values = [] }
  mutating func cancel() { values = [] }
  mutating func flush(at time: Int) { values = [] }
}
