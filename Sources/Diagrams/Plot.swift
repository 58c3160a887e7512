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
  private let rows: [PlotRow]
  private let left: Int

  /// Lays out a diagram.
  ///
  /// - Parameters:
  ///   - diagram: The diagram.
  ///   - longestName: The length of the longest lane name in the picture.
  init(_ diagram: Diagram, longestName: Int) {
    self.diagram = diagram
    let left = longestName * 8 + 12 + PlotRow.radius
    let hues = Self.hues(of: diagram)
    self.left = left
    rows = diagram.lanes.map { PlotRow($0, hues: hues, left: left) }
  }

  var width: Int { max(rows.map(\.end).max() ?? 0, right + 12) }

  var height: Int { top + rows.map(\.height).reduce(0, +) + Self.ruler }

  /// The elements, from back to front.
  var elements: [Element] {
    var elements = [Element]()
    if !diagram.title.isEmpty {
      elements.append(
        Element("text", ["class": "title", "x": "0", "y": "14"], text: diagram.title))
    }
    let bottom = height - Self.ruler
    for index in stride(from: 0, to: diagram.steps, by: Self.labelled) {
      let x = left + index * Self.stepWidth
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
          row.elements(steps: diagram.steps, right: right)))
      y += row.height
    }
    return elements
  }

  static func x(_ position: Double, left: Int) -> Int {
    left + Int((position * Double(stepWidth)).rounded())
  }

  private var top: Int { diagram.title.isEmpty ? 0 : Self.titleHeight }

  private var right: Int { left + (diagram.steps - 1) * Self.stepWidth + Self.stepWidth / 2 }

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
