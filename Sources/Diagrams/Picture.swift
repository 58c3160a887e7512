/// Several diagrams, stacked vertically.
package struct Picture: Hashable, Sendable {
  /// The diagrams, from the top.
  package let diagrams: [Diagram]

  /// The width at which lanes continue below; nil for lanes of any width.
  package let width: Int?

  /// Creates a picture of diagrams.
  ///
  /// - Parameters:
  ///   - diagrams: The diagrams, from the top.
  ///   - width: The width at which lanes continue below; nil for lanes of any width.
  package init(_ diagrams: [Diagram], width: Int? = nil) {
    self.diagrams = diagrams
    self.width = width
  }

  /// The picture in words, for readers that cannot see it.
  package var description: String { diagrams.map(\.description).joined(separator: " ") }

  /// The picture as an SVG file with light and dark colours, chosen by the reader's preference.
  package var svg: String {
    // Aligns step zero of all diagrams.
    let longestName = diagrams.flatMap(\.lanes).map(\.name.count).max() ?? 0
    let plots = diagrams.flatMap {
      Plot.plots(of: $0, within: self.width, longestName: longestName)
    }
    let width = (plots.map(\.width).max() ?? 0) + 2 * Plot.margin
    let gaps = Plot.margin * (plots.count + 1)
    let height = plots.map(\.height).reduce(gaps, +)
    var top = Plot.margin
    let bodies = plots.map { plot in
      defer { top += plot.height + Plot.margin }
      return Element("g", ["transform": "translate(\(Plot.margin) \(top))"], plot.elements)
    }
    let card = Element(
      "rect",
      [
        "class": "card", "x": "0.5", "y": "0.5", "width": "\(width - 1)",
        "height": "\(height - 1)", "rx": "10",
      ])
    let root = Element(
      "svg",
      [
        "xmlns": "http://www.w3.org/2000/svg", "width": "\(width)", "height": "\(height)",
        "viewBox": "0 0 \(width) \(height)", "role": "img",
      ],
      [Element("desc", text: description), Element("style", text: Stylesheet.text), card] + bodies)
    return root.text + "\n"
  }
}
