/// The layout of a diagram.
struct Plot {
  /// The space around each diagram.
  static let margin = 16

  /// The width of a step.
  private static let stepWidth = 28
  private static let ruler = 22
  private static let titleHeight = 28
  private static let labelled = 5

  private let diagram: Diagram
  private let range: Range<Int>
  private let rows: [PlotRow]
  private let left: Int

  /// Lays out a diagram, or a range of its steps.
  ///
  /// - Parameters:
  ///   - diagram: The diagram.
  ///   - range: The steps.
  ///   - longestName: The length of the longest lane name in the picture.
  init(_ diagram: Diagram, range: Range<Int>, longestName: Int) {
    self.diagram = diagram
    self.range = range
    let left = Self.left(of: longestName)
    let hues = Self.hues(of: diagram)
    self.left = left
    rows = diagram.lanes.map { PlotRow(Self.part(of: $0, in: range), hues: hues, left: left) }
  }

  /// Lays out a diagram as plots that are not wider than a picture may be, if a plot of six steps
  /// is not; without a width, as one plot.
  static func plots(of diagram: Diagram, within width: Int?, longestName: Int) -> [Plot] {
    let room = width.map { $0 - 2 * margin - left(of: longestName) } ?? .max
    let most = max(6, room / stepWidth)
    let count = (diagram.steps - 1) / most + 1
    guard count > 1 else {
      return [Plot(diagram, range: 0..<diagram.steps, longestName: longestName)]
    }
    let length = (diagram.steps + count - 1) / count
    return stride(from: 0, to: diagram.steps, by: length).map { start in
      let end = min(start + length, diagram.steps)
      return Plot(diagram, range: start..<end, longestName: longestName)
    }
  }

  var width: Int { max(rows.map(\.end).max() ?? 0, right + 12) }

  var height: Int { top + rows.map(\.height).reduce(0, +) + Self.ruler }

  /// The elements, from back to front.
  var elements: [Element] {
    var elements = [Element]()
    if top > 0 {
      elements.append(
        Element("text", ["class": "title", "x": "0", "y": "14"], text: diagram.title))
    }
    let bottom = height - Self.ruler
    for index in range where index.isMultiple(of: Self.labelled) {
      let x = left + (index - range.lowerBound) * Self.stepWidth
      elements.append(
        Element("path", ["class": "grid", "d": "M\(x) \(top)V\(bottom)"]))
      elements.append(
        Element(
          "text", ["class": "ruler", "x": "\(x)", "y": "\(height - 5)"],
          text: diagram.label(atStep: index)))
    }
    var y = top
    for row in rows {
      elements.append(
        Element(
          "g", ["class": row.lane.isInput ? "in" : "out", "transform": "translate(0 \(y))"],
          row.elements(steps: range.count, right: right)))
      y += row.height
    }
    return elements
  }

  static func x(_ position: Double, left: Int) -> Int {
    left + Int((position * Double(stepWidth)).rounded())
  }

  private var top: Int {
    diagram.title.isEmpty || range.lowerBound > 0 ? 0 : Self.titleHeight
  }

  private var right: Int { left + (range.count - 1) * Self.stepWidth + Self.stepWidth / 2 }

  private static func left(of longestName: Int) -> Int { longestName * 8 + 12 + PlotRow.radius }

  /// The marks of a lane in a range of steps; the remark is in the first range.
  private static func part(of lane: Lane, in range: Range<Int>) -> Lane {
    let marks = lane.marks.compactMap { mark -> Mark? in
      guard range.contains(Int(mark.position)) else { return nil }
      return Mark(mark.sign, at: mark.position - Double(range.lowerBound), mark.look)
    }
    let note = range.lowerBound == 0 ? lane.note : ""
    return Lane(lane.name, note: note, isInput: lane.isInput, marks: marks)
  }

  /// The colour index of each value in the first lane, in order of first occurrence.
  private static func hues(of diagram: Diagram) -> [String: Int] {
    var hues = [String: Int]()
    for mark in diagram.lanes.first?.marks ?? [] where mark.look == .value {
      let key = mark.sign.lowercased()
      hues[key] = hues[key] ?? hues.count % Stylesheet.hues
    }
    return hues
  }
}
