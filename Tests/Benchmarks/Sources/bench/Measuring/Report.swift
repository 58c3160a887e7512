import Foundation

/// The figures, the ratios between ours and the peers', and the goals, as lines of text.
struct Report {
  private let results: [Meter.Result]
  private let values: [String: [Double]]
  private let goals: [Goal]
  private let ratios: [Ratio]

  init(_ results: [Meter.Result], goals: [Goal], ratios: [Ratio]) {
    self.results = results
    values = Dictionary(uniqueKeysWithValues: results.map { ($0.figure.name, $0.values) })
    self.goals = goals
    self.ratios = ratios
  }

  var text: String {
    var lines = results.map { result in
      let (name, unit) = (result.figure.name, result.figure.unit)
      let times = unit == "ns" ? ratio(name, Rows.clockRead).map(Self.format) : nil
      return [name, Self.format(median(name) ?? 0), unit, times ?? "-"]
    }
    lines += ratios.compactMap { pair in
      ratio(pair.ours, pair.peer).map { ["ratio", pair.ours, pair.peer, Self.format($0)] }
    }
    var counts = [Goal.Outcome: Int]()
    for goal in goals {
      guard let value = value(of: goal) else { continue }
      let outcome = goal.outcome(value)
      counts[outcome, default: 0] += 1
      lines.append(
        ["goal", goal.name, Self.format(value), goal.bound.description, outcome.rawValue])
    }
    let summary = Goal.Outcome.allCases.map { "\(counts[$0] ?? 0) \($0.rawValue)" }
    let total = counts.values.reduce(0, +)
    return lines.map { $0.joined(separator: "\t") + "\n" }.joined()
      + "goals: \(summary.joined(separator: ", ")) of \(total)\n"
  }

  private func value(of goal: Goal) -> Double? {
    switch goal.bound {
    case .clockReads: ratio(goal.row, Rows.clockRead)
    case .share(_, let peer): ratio(goal.row, peer)
    case .figure: median(goal.row)
    }
  }

  private func median(_ name: String) -> Double? {
    values[name].map { Self.median(of: $0) }
  }

  /// The median of the ratios of each round: what slowed a round down slowed both.
  private func ratio(_ name: String, _ other: String) -> Double? {
    guard let first = values[name], let second = values[other] else { return nil }
    return Self.median(of: zip(first, second).map { $0 / $1 })
  }

  private static func median(of numbers: [Double]) -> Double {
    let sorted = numbers.sorted()
    let middle = sorted.count / 2
    return sorted.count.isMultiple(of: 2)
      ? (sorted[middle - 1] + sorted[middle]) / 2 : sorted[middle]
  }

  private static func format(_ number: Double) -> String {
    switch abs(number) {
    case 1_000...: String(format: "%.0f", number)
    case 10...: String(format: "%.1f", number)
    case 0.1...: String(format: "%.2f", number)
    default: String(format: "%.4f", number)
    }
  }
}
