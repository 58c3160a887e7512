/// A row of a diagram: the inputs, or the outputs of one tool.
package struct Lane: Hashable, Sendable {
  /// The name to the left of the lane.
  package let name: String

  /// A remark below the lane; an empty one takes no room.
  package let note: String

  /// Whether the marks are inputs, not outputs.
  package let isInput: Bool

  /// The events, in order.
  package let marks: [Mark]

  /// Creates a lane.
  ///
  /// - Parameters:
  ///   - name: The name to the left of the lane.
  ///   - note: A remark below the lane.
  ///   - isInput: Whether the marks are inputs, not outputs.
  ///   - marks: The events, in order.
  package init(_ name: String, note: String = "", isInput: Bool = false, marks: [Mark]) {
    self.name = name
    self.note = note
    self.isInput = isInput
    self.marks = marks
  }
}
