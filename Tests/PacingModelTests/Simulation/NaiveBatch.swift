import Pacing

/// The expected content of a batcher, with the time of each element.
struct NaiveBatch {
  struct Limit {
    var count: Int?
    var weight: Int?
    var delay: Int?
    var gap: Int?
    /// The period of a grid, which excludes the other times.
    var period: Int?
    var includesEmpty = false
  }

  private let limit: Limit
  private var elements = [(value: Int, time: Int)]()
  private var gridStart: Int
  /// The last grid point at which a batch closed, or the start of the grid.
  private var closedAt: Int
  private var isFinished = false

  init(_ limit: Limit, start: Int) {
    self.limit = limit
    gridStart = start
    closedAt = start
  }

  static func weight(_ value: Int) -> Int { value % 4 }

  var held: [Int] { elements.map(\.value) }

  var dueTime: Int? {
    if let period = limit.period {
      if limit.includesEmpty, !isFinished || !elements.isEmpty {
        return point(of: period, after: closedAt)
      }
      return elements.first.map { point(of: period, after: $0.time) }
    }
    guard let first = elements.first, let last = elements.last else { return nil }
    return [limit.delay.map { first.time + $0 }, limit.gap.map { last.time + $0 }]
      .compactMap(\.self).min()
  }

  private func point(of period: Int, after time: Int) -> Int {
    gridStart + ((time - gridStart) / period + 1) * period
  }

  /// Adds an element, and returns the batches that its size closes.
  mutating func send(_ value: Int, at time: Int) -> [[Int]] {
    var batches = [[Int]]()
    // An element that would make the batch too heavy starts the next one.
    if let weight = limit.weight, !elements.isEmpty, sum(of: held + [value]) > weight {
      batches.append(closeBySize(at: time))
    }
    elements.append((value, time))
    if elements.count >= limit.count ?? .max || sum(of: held) >= limit.weight ?? .max {
      batches.append(closeBySize(at: time))
    }
    return batches
  }

  private func sum(of values: [Int]) -> Int { values.map(Self.weight).reduce(0, +) }

  private mutating func closeBySize(at time: Int) -> [Int] {
    (gridStart, closedAt) = (time, time)
    return close()
  }

  /// Closes the batch by time.
  mutating func closeByTime(at time: Int) -> [Int] {
    closedAt = time
    return close()
  }

  mutating func close() -> [Int] {
    defer { elements = [] }
    return held
  }

  /// Stops accepting elements, and returns the batch to deliver at once.
  mutating func finish(_ finish: Finish) -> [Int]? {
    let isFirst = !isFinished
    isFinished = true
    switch finish {
    case .whenDue: return held.isEmpty || dueTime != nil ? nil : close()
    case .atOnce: return !held.isEmpty || isFirst && limit.includesEmpty ? close() : nil
    case .discard:
      _ = close()
      return nil
    }
  }
}
