/// What happened over time, in lanes below each other: a marble diagram.
///
/// It is a value: whoever makes one says what has happened, and a `Picture` draws it.
package struct Diagram: Hashable, Sendable {
  /// What stands above it, nothing where it is empty.
  package let title: String

  /// The lanes, from the top; equal marks have the colour that they have in the first one.
  package let lanes: [Lane]

  /// How many steps of time there are.
  package let steps: Int

  /// How long a step is, nil where it is just a step.
  package let step: Duration?

  /// Makes a diagram.
  ///
  /// - Parameters:
  ///   - title: What stands above it.
  ///   - lanes: The lanes, from the top.
  ///   - steps: How many steps of time there are.
  ///   - step: How long a step is, nil where it is just a step.
  package init(title: String = "", lanes: [Lane], steps: Int, step: Duration? = nil) {
    self.title = title
    self.lanes = lanes
    self.steps = steps
    self.step = step
  }

  /// The lanes in words, for those who cannot see the picture.
  package var description: String {
    lanes.map { lane in
      let marks = lane.marks.map { "\($0.sign) at \(Self.text($0.position))" }
      return "\(lane.name): \(marks.isEmpty ? "nothing" : marks.joined(separator: ", "))."
    }.joined(separator: " ")
  }

  /// What stands below the lanes at a step.
  func label(atStep index: Int) -> String {
    guard let step else { return "\(index)" }
    let time = step * index
    return time.components.attoseconds == 0
      ? "\(time.components.seconds) s" : "\(Int(time / .milliseconds(1))) ms"
  }

  /// A number with at most one digit after the point.
  private static func text(_ number: Double) -> String {
    let tenths = Int((number * 10).rounded())
    return tenths % 10 == 0 ? "\(tenths / 10)" : "\(tenths / 10).\(tenths % 10)"
  }
}
