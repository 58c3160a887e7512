import Pacing

/// The oracle of a limit on keys: the maximum, and when the window of each key ends.
struct NaiveKeyLimit {
  let maximum: Int
  /// Whether an additional key delivers the value that is due first, instead of being dropped.
  let flushes: Bool

  private let isDebouncer: Bool
  private let edges: Edges
  /// The window that the next delivery of each key opens.
  private var waits = [Int: Int]()
  private var ends = [Int: Int]()
  /// The quiet period that the held value of a key opens when it is delivered, if it leads.
  private var leads = [Int: Int]()

  init(isDebouncer: Bool, edges: Edges, using random: inout SplitMix64) {
    self.isDebouncer = isDebouncer
    self.edges = edges
    let isLimited = Int.random(in: 0..<4, using: &random) > 0
    maximum = isLimited ? Int.random(in: 1...3, using: &random) : .max
    // A delivery shows which pending key made room; the closing of a window is unobservable.
    flushes = isDebouncer && edges == .trailing
  }

  /// The library's equivalent of the maximum; nil for none.
  var maximumKeys: Int? { maximum == .max ? nil : maximum }
  var whenFull: WhenFull { flushes ? .makeRoom : .refuse }

  func hasWindow(_ key: Int, at time: Int) -> Bool { ends[key].map { time < $0 } ?? false }

  mutating func send(
    _ key: Int, waiting wait: Int, isHeld: Bool, isSuspended: Bool, at time: Int
  ) {
    // A value that is dropped opens no window.
    if !isDebouncer, isHeld, !edges.hasTrailing { return }
    waits[key] = wait
    if isDebouncer {
      guard edges != .trailing else { return }
      // A value that joins one that leads while nothing is decided makes it a trailing one.
      if isHeld, isSuspended, edges.hasTrailing { leads[key] = nil }
      if !isHeld, !hasWindow(key, at: time) { leads[key] = wait }
      ends[key] = time + wait
    } else if edges == .trailing, !isHeld, !hasWindow(key, at: time) {
      ends[key] = time + wait
    }
  }

  mutating func deliver(_ key: Int, flushing: Bool, at time: Int) {
    if !isDebouncer {
      ends[key] = time + waits[key, default: 0]
    } else if flushing {
      cancel(key)
    } else if let wait = leads.removeValue(forKey: key) {
      ends[key] = max(ends[key, default: 0], time + wait)
    }
  }

  /// A throttler's window stays open.
  mutating func cancel(_ key: Int) {
    if isDebouncer { (ends[key], leads[key]) = (nil, nil) }
  }
}
