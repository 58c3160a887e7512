/// Measures rows in interleaved rounds, so that whatever the machine does meanwhile meets all of them.
struct Meter {
  /// The rows, with a figure for each round.
  private(set) var results: [(row: Row, figures: [Double])]
  private let effort: Effort

  init(_ rows: [Row], effort: Effort) {
    results = rows.map { ($0, []) }
    self.effort = effort
  }

  mutating func run() async {
    // The first round warms caches and pools, and is not kept.
    for round in 0...effort.rounds {
      for index in results.indices {
        let figure = await figure(of: results[index].row)
        if round > 0 || effort.rounds == 1 { results[index].figures.append(figure) }
      }
    }
  }

  private func figure(of row: Row) async -> Double {
    let count = max(1, row.count / effort.divisor)
    var best = await row.measure(count)
    guard row.isFastestOfMany else { return best }
    for _ in 1..<max(effort.batches, 2) { best = min(best, await row.measure(count)) }
    return best
  }
}
