import Pacing

/// The differences between the outcome of a scenario and the binding answer.
struct Comparison {
  private let unit: TimeUnit
  private let tolerance: Nanoseconds
  private let horizon: Nanoseconds?

  /// One sentence for each difference.
  private(set) var differences = [String]()

  init(_ outcome: Outcome, to expected: Expected, in scenario: Scenario) {
    unit = scenario.config.unit
    tolerance = scenario.config.tolerance
    horizon = scenario.horizon
    if let total = expected.total {
      let granted = outcome.rows.count { Self.isGranted($0, in: scenario) }
      if !total.contains(granted) {
        differences.append("expected \(total) granted, actual \(granted)")
      }
    }
    // A total alone leaves the answers open.
    if expected.total == nil || !expected.rows.isEmpty { compareRows(outcome, to: expected) }
    compareEnd(outcome.end, to: expected.end)
    if let queries = expected.queries { compare("pending", outcome.queries, to: queries) }
    if let returns = expected.returns { compare("returned", outcome.returns, to: returns) }
  }

  /// Whether the row is a granted `allow`, which may report what remains.
  private static func isGranted(_ row: Outcome.Row, in scenario: Scenario) -> Bool {
    guard let step = row.step, case .call(let call) = scenario.steps[step].event else {
      return row.answer == .flag(true)
    }
    if case .count = row.answer { return call.name == "allow" }
    return call.name == "allow" && row.answer == .flag(true)
  }

  private mutating func compareRows(_ outcome: Outcome, to expected: Expected) {
    var rows = outcome.rows.filter(isInView)
    if let streamed = outcome.streamed?.filter(isInView), streamed != rows {
      differences.append("the handler had \(list(rows)), the stream \(list(streamed))")
    }
    if let positions = expected.positions {
      rows = rows.filter { $0.step.map(positions.contains) ?? false }
    }
    compare(nil, rows, to: expected.rows.filter(isInView))
  }

  private mutating func compareEnd(_ end: Outcome.Row?, to expected: Expected.End) {
    switch expected {
    case .unchecked:
      break
    case .none:
      if let end { differences.append("expected no end, actual \(end.text(unit))") }
    case .at(let json):
      compare("end", end.map { [$0] } ?? [], to: [ExpectedRow(bareOrKeyed: json)])
    }
  }

  private mutating func compare(
    _ what: String?, _ rows: [Outcome.Row], to expected: [ExpectedRow]
  ) {
    let areMet = zip(rows, expected).allSatisfy {
      $0.meets($1, unit: unit, tolerance: tolerance)
    }
    guard !areMet || rows.count != expected.count else { return }
    let first = zip(rows, expected).prefix { $0.meets($1, unit: unit, tolerance: tolerance) }.count
    let place = first < 12 ? 0 : first
    differences.append(
      "\(what.map { "\($0): " } ?? "")expected \(cut(expected.map(\.description), from: place)), "
        + "actual \(cut(rows.map { $0.text(unit) }, from: place))")
  }

  private func isInView(_ row: Outcome.Row) -> Bool {
    guard let horizon, case .span(let time) = row.key else { return true }
    return time <= horizon
  }

  private func isInView(_ row: ExpectedRow) -> Bool {
    guard let horizon, let time = row.key.flatMap(unit.nanoseconds) else { return true }
    return time <= horizon
  }

  private func list(_ rows: [Outcome.Row]) -> String {
    cut(rows.map { $0.text(unit) }, from: 0)
  }

  /// A list of rows; a long one is cut to the part after the first difference.
  private func cut(_ rows: [String], from place: Int) -> String {
    let shown = rows.dropFirst(place).prefix(24)
    let before = place > 0 ? "… " : ""
    let after = rows.count > place + shown.count ? " …" : ""
    return "[\(before)\(shown.joined(separator: ", "))\(after)]"
  }
}
