import CAllocations

/// Something that is measured: an operation's time, or what it leaves in memory.
struct Row {
  let name: String
  let unit: String

  /// How often a batch does the operation.
  let count: Int

  /// Whether the fastest of several batches counts; else there is one batch in a round.
  let isFastestOfMany: Bool

  /// Runs one batch of so many operations, and returns the figure for one.
  let measure: (Int) async -> Double

  /// A row for the time of an operation; `batch` does it as often as it is told.
  init(_ name: String, count: Int, batch: @escaping (Int) -> Void) {
    self.init(name, unit: "ns", count: count, isFastestOfMany: true) { count in
      let start = Moment.now
      batch(count)
      return start.elapsed / Double(count)
    }
  }

  /// A row for the time of an asynchronous operation.
  init(_ name: String, count: Int, asyncBatch: @escaping (Int) async -> Void) {
    self.init(name, unit: "ns", count: count, isFastestOfMany: true) { count in
      let start = Moment.now
      await asyncBatch(count)
      return start.elapsed / Double(count)
    }
  }

  /// How many blocks one operation takes from the allocator, on the thread that asks for it.
  func allocations(_ count: Int) async -> Double {
    let before = allocations_on_this_thread()
    _ = await measure(count)
    return Double(allocations_on_this_thread() - before) / Double(count)
  }

  /// A row for another figure.
  init(
    _ name: String, unit: String, count: Int, isFastestOfMany: Bool = false,
    measure: @escaping (Int) async -> Double
  ) {
    self.name = name
    self.unit = unit
    self.count = count
    self.isFastestOfMany = isFastestOfMany
    self.measure = measure
  }
}
