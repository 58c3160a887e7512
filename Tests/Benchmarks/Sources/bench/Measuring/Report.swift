import Foundation

/// The figures, the ratios between ours and the peers', and the goals.
struct Report {
  /// A goal, and what came of it.
  struct Judgement {
    let goal: Goal
    let value: Double
  }

  let figures: [Row.Figure]
  private let values: [String: [Double]]
  private let goals: [Goal]
  private let ratios: [Ratio]

  init(_ results: [Meter.Result], goals: [Goal], ratios: [Ratio]) {
    figures = results.map(\.figure)
    values = Dictionary(uniqueKeysWithValues: results.map { ($0.figure.name, $0.values) })
    self.goals = goals
    self.ratios = ratios
  }

  /// All of it as lines of fields.
  var text: String {
    var lines = figures.map { figure in
      [
        figure.name, Self.format(median(figure.name) ?? .nan), figure.unit,
        clockReads(figure).map(Self.format) ?? "-",
      ]
    }
    lines += ratios.compactMap { pair in
      ratio(pair.ours, pair.peer).map { ["ratio", pair.ours, pair.peer, Self.format($0)] }
    }
    lines += judgements.map { judgement in
      let goal = judgement.goal
      return [
        "goal", goal.row, Self.format(judgement.value), goal.bound.description,
        goal.verdict(on: judgement.value),
      ]
    }
    return lines.map { $0.joined(separator: "\t") + "\n" }.joined() + summary + "\n"
  }

  /// The goals whose figures were measured.
  var judgements: [Judgement] {
    goals.compactMap { goal in
      value(of: goal).map { Judgement(goal: goal, value: $0) }
    }
  }

  var summary: String {
    let judgements = judgements
    let met = judgements.count { $0.goal.isMet(by: $0.value) }
    return "goals: \(met) met, \(judgements.count - met) missed of \(judgements.count)"
  }

  /// The figure's value in the middle of its rounds, nil where it was not measured.
  func median(_ name: String) -> Double? {
    values[name].map { Self.median(of: $0) }
  }

  /// How many clock reads take as long, nil for what is no time of an operation.
  func clockReads(_ figure: Row.Figure) -> Double? {
    figure.unit == "ns" ? ratio(figure.name, Rows.clockRead) : nil
  }

  static func format(_ number: Double) -> String {
    switch abs(number) {
    case 1_000...: String(format: "%.0f", number)
    case 10...: String(format: "%.1f", number)
    case 0.1...: String(format: "%.2f", number)
    case 0: "0"
    default: String(format: "%.4f", number)
    }
  }

  private func value(of goal: Goal) -> Double? {
    switch goal.bound {
    case .clockReads: ratio(goal.row, Rows.clockRead)
    case .share(_, let peer): ratio(goal.row, peer)
    case .figure: median(goal.row)
    }
  }

  /// The median of the ratios of each round: what slowed a round down slowed both.
  private func ratio(_ name: String, _ other: String) -> Double? {
    guard let first = values[name], let second = values[other] else { return nil }
    return Self.median(of: zip(first, second).map { $0 / $1 })
  }

  private static func median(of numbers: [Double]) -> Double {
    let sorted = numbers.filter { !$0.isNaN }.sorted()
    guard !sorted.isEmpty else { return .nan }
    let middle = sorted.count / 2
    return sorted.count.isMultiple(of: 2)
      ? (sorted[middle - 1] + sorted[middle]) / 2 : sorted[middle]
  }
}
