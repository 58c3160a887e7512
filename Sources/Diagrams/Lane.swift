/// A row of a diagram: what came in, or what one tool made of it.
package struct Lane: Hashable, Sendable {
  /// What stands to its left.
  package let name: String

  /// What there is to say of it, nothing where it is empty.
  package let note: String

  /// Whether its marks are what was done to the tools, and not what they did.
  package let isInput: Bool

  /// What happened, in order.
  package let marks: [Mark]

  /// Makes a lane.
  ///
  /// - Parameters:
  ///   - name: What stands to its left.
  ///   - note: What there is to say of it.
  ///   - isInput: Whether its marks are what was done to the tools.
  ///   - marks: What happened, in order.
  package init(_ name: String, note: String = "", isInput: Bool = false, marks: [Mark]) {
    self.name = name
    self.note = note
    self.isInput = isInput
    self.marks = marks
  }
}
