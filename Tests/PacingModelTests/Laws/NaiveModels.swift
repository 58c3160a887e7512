import Pacing

/// A specification of a tool, as plain as possible: the oracle of the laws.
///
/// A model keeps the whole history of one run in whole milliseconds, and scans it at every step for
/// what is due. It shares no code with the states.
protocol NaiveModel {
  mutating func send(_ value: Int, at time: Int)
  /// As `send`, while nothing is decided.
  ///
  /// - Returns: Whether a held value is due at another time than before, however overdue it was.
  mutating func sendWhileSuspended(_ value: Int, at time: Int) -> Bool
  /// The instant at which the held value is due; nil if none is held.
  var dueTime: Int? { get }
  var held: Int? { get }
  mutating func deliver(at time: Int)
  mutating func cancel()
  /// The caller of the held value leaves; other calls go on as if it had not.
  mutating func leave()
  /// Tells the model that a flush delivers the held value, whenever it is due.
  mutating func flush(at time: Int)
  /// Changes the wait or the window for later values.
  mutating func adjust(wait: Int)
}

extension NaiveModel {
  mutating func leave() { cancel() }

  mutating func sendWhileSuspended(_ value: Int, at time: Int) -> Bool {
    send(value, at: time)
    return false
  }
}

struct NaiveDebounce: NaiveModel {
  private var wait: Int
  var maximumWait: Int?
  var edges: Edges

  /// The values of the burst, in order, each with the ends of the quiet period and maximum wait
  /// that it started; `settled` counts those delivered or given up.
  private var burst: [(time: Int, quietEnd: Int, limit: Int?)] = []
  private var settled = 0
  private var quietEnd: Int?
  /// The quiet period that the held value opens on delivery, if it leads.
  private var leadingWait: Int?
  private(set) var held: Int?

  init(wait: Int, maximumWait: Int?, edges: Edges) {
    self.wait = wait
    self.maximumWait = maximumWait
    self.edges = edges
  }

  mutating func send(_ value: Int, at time: Int) {
    let isNewBurst = quietEnd.map { time >= $0 } ?? true
    quietEnd = time + wait
    // A value held because a handler runs is a leading one only.
    if held != nil, edges == .leading { return }
    if isNewBurst, held == nil {
      burst = []
      settled = 0
    }
    burst.append((time, time + wait, maximumWait.map { time + max(wait, $0) }))
    if isNewBurst, edges != .trailing {
      if held == nil { leadingWait = wait }
      held = value
    } else if edges != .leading {
      held = value
    } else {
      settled = burst.count
    }
  }

  /// A value that joins another brings its own deadline, and leads no longer.
  mutating func sendWhileSuspended(_ value: Int, at time: Int) -> Bool {
    let isMerged = held != nil && edges != .leading
    send(value, at: time)
    if isMerged { leadingWait = nil }
    return isMerged
  }

  var dueTime: Int? {
    guard held != nil, let last = burst.last else { return nil }
    if leadingWait != nil, burst.count == 1 { return last.time }
    return min(last.quietEnd, burst[settled].limit ?? .max)
  }

  mutating func deliver(at time: Int) {
    if let leadingWait { quietEnd = max(quietEnd ?? time, time + leadingWait) }
    leadingWait = nil
    held = nil
    settled = burst.count
  }

  mutating func cancel() {
    held = nil
    leadingWait = nil
    quietEnd = nil
    burst = []
    settled = 0
  }

  /// A burst that began with the value that leaves ends.
  mutating func leave() {
    guard (leadingWait ?? 0) == 0, edges != .leading else { return cancel() }
    held = nil
    settled = burst.count
  }

  mutating func flush(at time: Int) {
    cancel()
  }

  mutating func adjust(wait: Int) { self.wait = wait }
}

struct NaiveThrottle: NaiveModel {
  private var interval: Int
  var edges: Edges
  let keepsFirst: Bool

  private var windows: [Range<Int>] = []
  private(set) var held: Int?
  private var heldSince = 0
  /// The interval at the newest accepted value.
  private var heldInterval = 0

  init(interval: Int, edges: Edges, keepsFirst: Bool) {
    self.interval = interval
    self.edges = edges
    self.keepsFirst = keepsFirst
  }

  private func isOpen(at time: Int) -> Bool {
    windows.last?.contains(time) ?? false
  }

  mutating func send(_ value: Int, at time: Int) {
    if isOpen(at: time), edges == .leading { return }
    if held != nil, edges == .leading { return }
    heldInterval = interval
    if held != nil, keepsFirst { return }
    if held == nil {
      heldSince = time
      if !isOpen(at: time), edges == .trailing { windows.append(time..<time + interval) }
    }
    held = value
  }

  var dueTime: Int? {
    guard held != nil else { return nil }
    return max(heldSince, windows.last?.upperBound ?? heldSince)
  }

  mutating func deliver(at time: Int) {
    held = nil
    windows.append(time..<time + heldInterval)
  }

  mutating func cancel() {
    held = nil
  }

  mutating func flush(at time: Int) {
    deliver(at: time)
  }

  mutating func reset() {
    held = nil
    windows = []
  }

  mutating func adjust(wait: Int) { interval = wait }
}

struct NaiveAudit: NaiveModel {
  private var window: Int

  private var values: [(value: Int, end: Int)] = []

  init(window: Int) {
    self.window = window
  }

  var held: Int? { values.last?.value }
  var dueTime: Int? { values.first?.end }

  mutating func send(_ value: Int, at time: Int) { values.append((value, time + window)) }
  mutating func deliver(at time: Int) { values = [] }
  mutating func cancel() { values = [] }
  mutating func flush(at time: Int) { values = [] }
  mutating func adjust(wait: Int) { window = wait }
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
  mutating func adjust(wait: Int) {}
}
