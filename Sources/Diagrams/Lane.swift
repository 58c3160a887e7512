/// A row of a diagram: the inputs, or the outputs of one tool.
package struct Lane: Hashable, Sendable {
  /// The name on its left.
  package let name: String

  /// A remark below it; an empty one takes no room.
  package let note: String

  /// Whether its marks are inputs rather than outputs.
  package let isInput: Bool

  /// Its events, in order.
  package let marks: [Mark]

  /// Makes a lane.
  ///
  /// - Parameters:
  ///   - name: The name on its left.
  ///   - note: A remark below it.
  ///   - isInput: Whether its marks are inputs.
  ///   - marks: Its events, in order.
  package init(_ name: String, note: String = "", isInput: Bool = false, marks: [Mark]) {
    self.name = name
    self.note = note
    self.isInput = isInput
    self.marks = marks
  }
}
