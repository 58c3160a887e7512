import Foundation

/// The guide to performance, whose tables are written from a run.
///
/// A table is between `<!-- figures: name -->` and `<!-- end -->`; everything else is left as it
/// is. The charts are files in the folder `Charts` next to the guide.
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
    let folder = URL(filePath: path).deletingLastPathComponent().appending(path: "Charts")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    for (name, chart) in Charts.all(from: report) {
      let file = folder.appending(path: "\(name).svg")
      try chart.svg.write(to: file, atomically: true, encoding: .utf8)
    }
  }

  private func table(_ name: String) throws(Options.Failure) -> [String] {
    switch name {
    case "machine": return [machine]
    case "goals": return [report.summary + ".", ""] + missedGoals
    default:
      guard let table = Table.all[name] else {
        throw Options.Failure(description: "there is no table \(name)")
      }
      return lines(of: table)
    }
  }

  /// Each goal that was missed, and by how much.
  private var missedGoals: [String] {
    let missed = report.judgements.filter { !$0.goal.isMet(by: $0.value) }
    return Self.lines(
      ["missed", "is", "should be at most", "times the goal"],
      missed.map { judgement in
        let (goal, value) = (judgement.goal, judgement.value)
        return [
          goal.row, Report.format(value), goal.bound.description, goal.factor(of: value),
        ]
      })
  }

  private var machine: String {
    let versions = ProcessInfo.processInfo.environment["BENCH_VERSIONS"] ?? ""
    let date = Date.now.formatted(.iso8601.year().month().day())
    return "Measured on \(date), in \(effort.rounds) rounds: \(versions)."
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
    case .headlines(let headlines):
      let rows = headlines.map { headline in
        let (name, peer) = headline.peer
        return [headline.question, cell(headline.row), "\(name): \(cell(peer))"]
      }
      return Self.lines(["to", "takes here", "elsewhere"], rows)
    }
  }

  private func cell(_ name: String) -> String {
    report.figures.first { $0.name == name }.map(cell) ?? "not measured"
  }

  private func cell(_ figure: Row.Figure) -> String {
    report.median(figure.name).map { "\(Report.format($0)) \(figure.unit)" } ?? ""
  }

  private static func lines(_ heads: [String], _ rows: [[String]]) -> [String] {
    let rule = heads.indices.map { $0 == 0 ? "---" : "---:" }
    return ([heads, rule] + rows).map { "| " + $0.joined(separator: " | ") + " |" }
  }
}
