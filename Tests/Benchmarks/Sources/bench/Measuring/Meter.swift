/// Measures rows in interleaved rounds, so that whatever the machine does meanwhile meets all of
/// them.
struct Meter {
  /// The figures, in the order of the rows, each with its value in each round.
  private(set) var results = [Result]()

  struct Result {
    let figure: Row.Figure
    var values = [Double]()
  }

  private let rows: [Row]
  private let effort: Effort

  init(_ rows: [Row], effort: Effort) {
    self.rows = rows
    self.effort = effort
    results = rows.flatMap(\.figures).map { Result(figure: $0) }
  }

  mutating func run() async {
    // The first round warms caches and pools, and is not kept.
    for round in (effort.rounds == 1 ? 1 : 0)...effort.rounds {
      var place = 0
      for row in rows {
        if let values = await measure(row, in: round) {
          for (index, value) in values.enumerated() where round > 0 {
            results[place + index].values.append(value)
          }
        }
        place += row.figures.count
      }
    }
  }

  private func measure(_ row: Row, in round: Int) async -> [Double]? {
    let count = max(1, row.count / effort.divisor)
    switch row.turns {
    case .few where round == 0 || round > 3: return nil
    case .few, .once: return await row.measure(count)
    case .fastestOfMany:
      var best = await row.measure(count)
      for _ in 1..<effort.batches {
        let values = await row.measure(count)
        best = zip(best, values).map { min($0, $1) }
      }
      return best
    }
  }
}
