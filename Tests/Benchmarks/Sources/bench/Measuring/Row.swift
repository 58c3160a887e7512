import CAllocations

/// Something that is measured: an operation's time, or a run with several figures.
struct Row {
  /// How often a row has its turn, and what counts of one.
  enum Turns {
    /// In each round, the fastest of several batches.
    case fastestOfMany

    /// In each round, one batch.
    case once

    /// One batch in each of the first rounds: it takes seconds.
    case few
  }

  struct Figure {
    let name: String
    let unit: String
  }

  let name: String

  /// What a batch measures.
  let figures: [Figure]

  /// How often a batch does the operation.
  let count: Int

  let turns: Turns

  /// Runs one batch of so many operations, and returns the figures.
  let measure: (Int) async -> [Double]

  /// A row for the time of an operation; `batch` does it as often as it is told.
  init(_ name: String, count: Int, batch: @escaping (Int) -> Void) {
    self.init(name, unit: "ns", count: count, turns: .fastestOfMany) { count in
      let start = Moment.now
      batch(count)
      return start.elapsed / Double(count)
    }
  }

  /// A row for the time of an asynchronous operation.
  init(_ name: String, count: Int, asyncBatch: @escaping (Int) async -> Void) {
    self.init(name, unit: "ns", count: count, turns: .fastestOfMany) { count in
      let start = Moment.now
      await asyncBatch(count)
      return start.elapsed / Double(count)
    }
  }

  /// A row for one figure.
  init(
    _ name: String, unit: String, count: Int, turns: Turns,
    measure: @escaping (Int) async -> Double
  ) {
    self.init(name, [Figure(name: name, unit: unit)], count: count, turns: turns) { count in
      [await measure(count)]
    }
  }

  /// A row for several figures of one run, each named by what is added to the row's name.
  init(
    _ name: String, parts: [(name: String, unit: String)], count: Int, turns: Turns,
    measure: @escaping (Int) async -> [Double]
  ) {
    let figures = parts.map { Figure(name: "\(name), \($0.name)", unit: $0.unit) }
    self.init(name, figures, count: count, turns: turns, measure: measure)
  }

  /// A row for what another program measures.
  init(_ program: String, _ figures: [Figure], measure: @escaping () -> [Double]) {
    self.init(program, figures, count: 1, turns: .once) { _ in measure() }
  }

  private init(
    _ name: String, _ figures: [Figure], count: Int, turns: Turns,
    measure: @escaping (Int) async -> [Double]
  ) {
    self.name = name
    self.figures = figures
    self.count = count
    self.turns = turns
    self.measure = measure
  }

  /// How many blocks one operation takes from the allocator, on the thread that asks for it.
  func allocations(_ count: Int) async -> Double {
    let before = allocations_on_this_thread()
    _ = await measure(count)
    return Double(allocations_on_this_thread() - before) / Double(count)
  }
}
