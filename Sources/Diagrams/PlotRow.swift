/// The layout of a lane.
struct PlotRow {
  /// Half the height of a mark.
  static let radius = 12

  /// Marks that would overlap, stacked around the lane's line.
  private struct Pile {
    var marks = [(mark: Mark, level: Int)]()

    /// The end of the last mark on each level.
    var ends = [Int]()

    /// Puts a mark on the lowest level with room for it.
    mutating func add(_ mark: Mark, from start: Int, to end: Int) {
      let level = ends.firstIndex { $0 <= start } ?? ends.count
      if level == ends.count { ends.append(end) } else { ends[level] = end }
      marks.append((mark, level))
    }
  }

  private static let pitch = 26

  let lane: Lane
  private let hues: [String: Int]
  private let left: Int
  private let piles: [Pile]

  init(_ lane: Lane, hues: [String: Int], left: Int) {
    self.lane = lane
    self.hues = hues
    self.left = left
    var piles = [Pile]()
    for mark in lane.marks where mark.look != .call && mark.look != .end {
      let x = Plot.x(mark.position, left: left)
      let isBeside = piles.last?.ends.allSatisfy { $0 <= x } ?? true
      if isBeside { piles.append(Pile()) }
      // Circles may overlap slightly.
      let width = mark.look == .state ? mark.sign.count * 8 + 4 : Self.width(of: mark) - 4
      piles[piles.count - 1].add(mark, from: x, to: x + width)
    }
    self.piles = piles
  }

  /// The height, including text above and below the line.
  var height: Int { above + body + below }

  /// The end of the last mark, or of the remark.
  var end: Int {
    let marks = lane.marks.map { Plot.x($0.position, left: left) + Self.width(of: $0) }
    return max(marks.max() ?? 0, lane.note.isEmpty ? 0 : left + lane.note.count * 13 / 2)
  }

  /// The elements, from back to front.
  func elements(steps: Int, right: Int) -> [Element] {
    let y = above + body / 2
    var elements = [
      Element("text", ["class": "name", "x": "0", "y": "\(y + 4)"], text: lane.name),
      Element("path", ["class": "track", "d": "M\(left - Self.radius) \(y)H\(right)"]),
      Element("path", ["class": "arrow", "d": "M\(right - 5) \(y - 4)l5 4l-5 4"]),
    ]
    elements += (0..<steps).map { step in
      let x = Plot.x(Double(step), left: left)
      return Element("circle", ["class": "dot", "cx": "\(x)", "cy": "\(y)", "r": "2"])
    }
    if !lane.note.isEmpty {
      elements.append(
        Element(
          "text", ["class": "note", "x": "\(left - Self.radius)", "y": "\(height - 8)"],
          text: lane.note))
    }
    for mark in lane.marks where mark.look == .end { elements.append(bar(mark, y)) }
    for mark in lane.marks where mark.look == .call { elements += call(mark, y) }
    for pile in piles {
      let first = y - (pile.ends.count - 1) * Self.pitch / 2
      for (mark, level) in pile.marks {
        elements.append(marble(mark, first + level * Self.pitch))
      }
    }
    return elements
  }

  private var above: Int { lane.marks.contains { $0.look == .call } ? 14 : 0 }

  private var body: Int { (piles.map(\.ends.count).max() ?? 1) * Self.pitch + 12 }

  private var below: Int { lane.note.isEmpty ? 0 : 16 }

  private static func width(of mark: Mark) -> Int {
    max(2 * radius, mark.sign.count * 8 + 10)
  }

  private func bar(_ mark: Mark, _ y: Int) -> Element {
    let x = Plot.x(mark.position, left: left)
    return Element("path", ["class": "bar", "d": "M\(x) \(y - 16)V\(y + 16)"])
  }

  private func call(_ mark: Mark, _ y: Int) -> [Element] {
    let x = Plot.x(mark.position, left: left)
    return [
      Element("path", ["class": "plain stem", "d": "M\(x) \(y - 12)V\(y + 8)"]),
      Element("text", ["class": "call", "x": "\(x)", "y": "\(y - 16)"], text: mark.sign),
    ]
  }

  /// A circle, or for a word a longer shape that starts at the same place.
  private func marble(_ mark: Mark, _ y: Int) -> Element {
    let x = Plot.x(mark.position, left: left) - Self.radius
    let width = Self.width(of: mark)
    let text = Element("text", ["x": "\(x + width / 2)", "y": "\(y + 4)"], text: mark.sign)
    guard mark.look != .state else { return Element("g", ["class": "m state"], [text]) }
    let shape = Element(
      "rect",
      [
        "x": "\(x)", "y": "\(y - Self.radius)", "width": "\(width)",
        "height": "\(2 * Self.radius)", "rx": "\(Self.radius)",
      ])
    return Element("g", ["class": "m \(name(of: mark))"], [shape, text])
  }

  /// The CSS class of a mark.
  private func name(of mark: Mark) -> String {
    switch mark.look {
    case .success: "success"
    case .failure: "failure"
    case .number: "plain"
    default: hues[mark.sign.lowercased()].map { "h\($0)" } ?? "plain"
    }
  }
}
