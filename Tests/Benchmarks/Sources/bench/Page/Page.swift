import Foundation

/// The guide to performance, whose tables are written from a run.
///
/// A table stands between `<!-- figures: name -->` and `<!-- end -->`; all else is left as it is.
struct Page {
  private let report: Report
  private let effort: Effort

  init(_ report: Report, effort: Effort) {
    self.report = report
    self.effort = effort
  }

  func write(to path: String) throws {
    var lines = [String]()
    var isTable = false
    for line in try String(contentsOfFile: path, encoding: .utf8).components(separatedBy: "\n") {
      if line == "<!-- end -->" { isTable = false }
      if !isTable { lines.append(line) }
      if line.hasPrefix("<!-- figures: ") {
        isTable = true
        lines += [""] + (try table(String(line.dropFirst(14).dropLast(4)))) + [""]
      }
    }
    try lines.joined(separator: "\n").write(toFile: path, atomically: true, encoding: .utf8)
  }

  private func table(_ name: String) throws(Options.Failure) -> [String] {
    switch name {
    case "machine": return [machine]
    case "goals": return goals
    default:
      guard let table = Table.all[name] else {
        throw Options.Failure(description: "there is no table \(name)")
      }
      return lines(of: table)
    }
  }

  private var machine: String {
    let versions = ProcessInfo.processInfo.environment["BENCH_VERSIONS"] ?? ""
    let date = Date.now.formatted(.iso8601.year().month().day())
    return "Measured on \(date), in \(effort.rounds) rounds: \(versions)."
  }

  private var goals: [String] {
    let rows = report.judgements.map { judgement in
      let name = judgement.goal.name
      let outcome =
        judgement.outcome == .explained
        ? "[explained](#\(Self.anchor(name)))"
        : judgement.outcome.rawValue
      return [name, Report.format(judgement.value), judgement.goal.bound.description, outcome]
    }
    return Self.lines(["goal", "measured", "bound", ""], rows) + ["", report.summary + "."]
  }

  private func lines(of table: Table) -> [String] {
    switch table {
    case .list(let names):
      let rows = names.compactMap { name in
        report.figures.first { $0.name == name }.map { figure in
          [name, cell(figure), report.clockReads(figure).map(Report.format) ?? ""]
        }
      }
      return Self.lines(["", "", "clock reads"], rows)
    case .matrix(let names, let parts):
      let rows = names.compactMap { name -> [String]? in
        let cells = parts.map { part in
          report.figures.first { $0.name == "\(name), \(part)" }.map(cell) ?? ""
        }
        return cells.allSatisfy(\.isEmpty) ? nil : [name] + cells
      }
      return Self.lines([""] + parts, rows)
    }
  }

  private func cell(_ figure: Row.Figure) -> String {
    report.median(figure.name).map { "\(Report.format($0)) \(figure.unit)" } ?? ""
  }

  private static func lines(_ heads: [String], _ rows: [[String]]) -> [String] {
    let rule = heads.indices.map { $0 == 0 ? "---" : "---:" }
    return ([heads, rule] + rows).map { "| " + $0.joined(separator: " | ") + " |" }
  }

  /// A heading's anchor on the git host.
  private static func anchor(_ heading: String) -> String {
    String(
      heading.lowercased().compactMap { character in
        if character == " " { return "-" }
        return character.isLetter || character.isNumber || "-_".contains(character)
          ? character : nil
      })
  }
}
