import Foundation

/// Lines through measured points, as a file of Scalable Vector Graphics that follows the reader's
/// choice of light or dark.
package struct Chart {
  /// An axis, from the first mark to the last.
  package struct Axis: Sendable {
    let title: String
    let marks: [(value: Double, name: String)]
    let isLogarithmic: Bool

    package init(
      title: String, marks: [(value: Double, name: String)], isLogarithmic: Bool = true
    ) {
      self.title = title
      self.marks = marks
      self.isLogarithmic = isLogarithmic
    }

    /// Where a value lies: 0 at the first mark, 1 at the last.
    func share(_ value: Double) -> Double {
      let (first, last) = (scaled(marks[0].value), scaled(marks[marks.count - 1].value))
      return min(1, max(0, (scaled(value) - first) / (last - first)))
    }

    private func scaled(_ value: Double) -> Double {
      isLogarithmic ? Foundation.log10(max(value, 1e-9)) as Double : value
    }
  }

  /// What one program measured.
  package struct Line: Sendable {
    let name: String
    let points: [(x: Double, y: Double)]

    package init(name: String, points: [(x: Double, y: Double)]) {
      self.name = name
      self.points = points
    }
  }

  let title: String
  let x: Axis
  let y: Axis
  package let lines: [Line]

  package init(title: String, x: Axis, y: Axis, lines: [Line]) {
    self.title = title
    self.x = x
    self.y = y
    self.lines = lines
  }

  private static let (width, height) = (640.0, 300.0)
  private static let (left, right, top, bottom) = (64.0, 190.0, 36.0, 46.0)

  /// The whole file.
  package var svg: String {
    let (width, height) = (
      Self.left + Self.width + Self.right, Self.top + Self.height + Self.bottom
    )
    let size = "width=\"\(Int(width))\" height=\"\(Int(height))\""
    let parts = [
      "<svg xmlns=\"http://www.w3.org/2000/svg\" \(size) viewBox=\"0 0 \(Int(width)) \(Int(height))\""
        + " role=\"img\">",
      "<desc>\(description)</desc>", "<style>\(Self.style)</style>",
      "<rect class=\"card\" x=\"0.5\" y=\"0.5\" width=\"\(Int(width) - 1)\""
        + " height=\"\(Int(height) - 1)\" rx=\"10\"/>",
      text(title, "title", Self.left, 22),
    ]
    return (parts + grid + lines.indices.flatMap(drawing) + ["</svg>", ""])
      .joined(separator: "\n")
  }

  /// What the picture shows, in words.
  private var description: String {
    let ends = lines.map { line in
      let last = line.points[line.points.count - 1]
      return "\(line.name) ends at \(round(last.x)), \(round(last.y))"
    }
    return "\(title): \(y.title) against \(x.title). \(ends.joined(separator: "; "))."
  }

  private var grid: [String] {
    let bottom = Self.top + Self.height
    let columns = x.marks.flatMap { value, name -> [String] in
      let place = place(value, y.marks[0].value).x
      return [
        "<path class=\"grid\" d=\"M\(round(place)) \(Self.top)V\(bottom)\"/>",
        text(name, "ruler middle", place, bottom + 18),
      ]
    }
    let rows = y.marks.flatMap { value, name -> [String] in
      let place = place(x.marks[0].value, value).y
      return [
        "<path class=\"grid\" d=\"M\(Self.left) \(round(place))h\(Self.width)\"/>",
        text(name, "ruler end", Self.left - 8, place + 4),
      ]
    }
    return columns + rows + [
      text(x.title, "ruler middle", Self.left + Self.width / 2, bottom + 38)
    ]
  }

  /// A line, and its name beside its last point, moved down where names would lie on each other.
  private func drawing(of index: Int) -> [String] {
    let line = lines[index]
    let places = line.points.map { place($0.x, $0.y) }
    let path = places.map { "\(round($0.x)) \(round($0.y))" }.joined(separator: "L")
    let names = lines.map {
      place($0.points[$0.points.count - 1].x, $0.points[$0.points.count - 1].y).y
    }
    let rank = names.indices.sorted { (names[$0], $0) < (names[$1], $1) }.firstIndex(of: index)!
    var y = 0.0
    for (number, name) in names.sorted().enumerated() where number <= rank {
      y = max(name + 4, number == 0 ? 0 : y + 17)
    }
    return [
      "<path class=\"line h\(index % 6)\(index == 0 ? " ours" : "")\" d=\"M\(path)\"/>",
      text(line.name, "name n\(index % 6)", Self.left + Self.width + 10, y),
    ]
  }

  private func place(_ x: Double, _ y: Double) -> (x: Double, y: Double) {
    (
      Self.left + self.x.share(x) * Self.width,
      Self.top + (1 - self.y.share(y)) * Self.height
    )
  }

  private func round(_ number: Double) -> String { String(format: "%.1f", number) }

  private func text(_ text: String, _ names: String, _ x: Double, _ y: Double) -> String {
    "<text class=\"\(names)\" x=\"\(round(x))\" y=\"\(round(y))\">\(text)</text>"
  }

  private static let style: String = {
    func rules(_ ground: String, _ edge: String, _ ink: String, _ pale: String, _ hues: [String])
      -> String
    {
      let lines = hues.enumerated().map { ".h\($0){stroke:\($1)}.n\($0){fill:\($1)}" }.joined()
      return ".card{fill:\(ground);stroke:\(edge)}.title{fill:\(ink)}.ruler{fill:\(pale)}"
        + ".grid{stroke:\(edge)}\(lines)"
    }
    let light = rules(
      "#ffffff", "#d5dbe1", "#1c2430", "#5b6673",
      ["#0b62d6", "#b3420a", "#167a39", "#8a3ffc", "#b8145f", "#0a7680"])
    let dark = rules(
      "#11161d", "#2e3743", "#e8edf3", "#98a4b3",
      ["#6cb6ff", "#ffa45c", "#5fd18a", "#c5a3ff", "#ff92c2", "#4fd0d9"])
    return "text{font:13px system-ui,-apple-system,\"Segoe UI\",Roboto,sans-serif}"
      + ".title{font-size:15px;font-weight:700}.name{font-weight:600}"
      + ".middle{text-anchor:middle}.end{text-anchor:end}"
      + ".line{fill:none;stroke-width:2}.ours{stroke-width:4}.grid{stroke-dasharray:2 4}"
      + "\(light)@media(prefers-color-scheme:dark){\(dark)}"
  }()
}
