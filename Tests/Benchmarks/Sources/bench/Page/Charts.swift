/// The pictures of the guide to performance, drawn from the same run as its tables.
enum Charts {
  /// The pictures, by their files' names; a program that was not measured has no line.
  static func all(from report: Report) -> [String: Chart] {
    ["lateness": lateness(report), "growth": growth(report)].filter { !$0.value.lines.isEmpty }
  }

  /// The shares of a distribution that are measured, in percent.
  static let shares = [1, 10, 25, 50, 75, 90, 99]

  private static func lateness(_ report: Report) -> Chart {
    let names = [
      "DispatchTimer", "DispatchSourceTimer", "Task.sleep", "NIO", "Go AfterFunc", "tokio Sleep",
    ]
    return Chart(
      title: "How many of a hundred timers have fired, and how late",
      x: .init(
        title: "lateness",
        marks: [
          (10, "10 µs"), (30, "30 µs"), (100, "100 µs"), (300, "300 µs"), (1_000, "1 ms"),
          (3_000, "3 ms"),
        ]),
      y: .init(
        title: "share", marks: [0, 25, 50, 75, 100].map { (Double($0), "\($0) %") },
        isLogarithmic: false),
      lines: names.compactMap { name in
        line(name, shares.map { (report.median("lateness \(name), p\($0)"), Double($0)) })
      })
  }

  private static func growth(_ report: Report) -> Chart {
    let names = [
      ("DispatchTimer", "timer schedule + cancel"),
      ("DispatchSourceTimer", "DispatchSourceTimer make + arm + cancel"),
      ("NIO", "NIO scheduleTask + cancel"), ("Go AfterFunc", "Go AfterFunc + Stop"),
      ("tokio DelayQueue", "tokio DelayQueue insert + remove"),
    ]
    let sizes = [(1_000.0, "1k"), (10_000, "10k"), (100_000, "100k"), (1_000_000, "1M")]
    return Chart(
      title: "What it takes to set one more timer and cancel it",
      x: .init(title: "timers pending", marks: sizes),
      y: .init(
        title: "time",
        marks: [
          (50, "50 ns"), (200, "200 ns"), (1_000, "1 µs"), (5_000, "5 µs"), (20_000, "20 µs"),
          (100_000, "100 µs"),
        ]),
      lines: names.compactMap { name, row in
        let points = sizes.map { (x: $0.0, y: report.median("\(row), \($0.1)")) }
        let measured = points.compactMap { point in point.y.map { (x: point.x, y: $0) } }
        return measured.count < 2 ? nil : Chart.Line(name: name, points: measured)
      })
  }

  /// A line through all of its points, nil if one of them was not measured.
  private static func line(_ name: String, _ points: [(x: Double?, y: Double)]) -> Chart.Line? {
    let measured = points.compactMap { point in point.x.map { (x: $0, y: point.y) } }
    return measured.count < points.count ? nil : Chart.Line(name: name, points: measured)
  }
}
