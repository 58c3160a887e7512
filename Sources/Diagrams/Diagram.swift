/// A marble diagram: lanes of events over time, which a `Picture` draws.
package struct Diagram: Hashable, Sendable {
  /// The text above the diagram; an empty title takes no room.
  package let title: String

  /// The lanes, from the top; equal marks have the colour of the first lane.
  package let lanes: [Lane]

  /// The number of time steps.
  package let steps: Int

  /// The duration of a step; nil if steps are abstract.
  package let step: Duration?

  /// Creates a diagram.
  ///
  /// - Parameters:
  ///   - title: The text above the diagram.
  ///   - lanes: The lanes, from the top.
  ///   - steps: The number of time steps.
  ///   - step: The duration of a step; nil if steps are abstract.
  package init(title: String = "", lanes: [Lane], steps: Int, step: Duration? = nil) {
    self.title = title
    self.lanes = lanes
    self.steps = steps
    self.step = step
  }

  /// The lanes in words, for readers who cannot see the picture.
  package var description: String {
    lanes.map { lane in
      let marks = lane.marks.map { "\($0.sign) at \(Self.text($0.position))" }
      return "\(lane.name): \(marks.isEmpty ? "nothing" : marks.joined(separator: ", "))."
    }.joined(separator: " ")
  }

  /// The label of a step, below the lanes.
  func label(atStep index: Int) -> String {
    guard let step else { return "\(index)" }
    let time = step * index
    return time.components.attoseconds == 0
      ? "\(time.components.seconds) s" : "\(Int(time / .milliseconds(1))) ms"
  }

  /// A number rounded to at most one decimal place.
  private static func text(_ number: Double) -> String {
    let tenths = Int((number * 10).rounded())
    return tenths % 10 == 0 ? "\(tenths / 10)" : "\(tenths / 10).\(tenths % 10)"
  }
}
