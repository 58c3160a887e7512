/// Something that happened in a lane.
package struct Mark: Hashable, Sendable {
  /// What it was, and so how it looks.
  package enum Look: Hashable, Sendable {
    /// A value. Equal signs have the same colour in all lanes.
    case value

    /// A number of something, that is no value.
    case number

    /// A success that is no value.
    case success

    /// A failure, or a refusal.
    case failure

    /// A word without a shape: a state at this time.
    case state

    /// A call that is no value: its name stands above the lane.
    case call

    /// The end of everything: a bar.
    case end
  }

  /// When it happened, in steps.
  package let position: Double

  /// What stands in it: a character or a short word.
  package let sign: String

  /// What it was.
  package let look: Look

  /// Makes a mark.
  ///
  /// - Parameters:
  ///   - sign: What stands in it: a character or a short word.
  ///   - position: When it happened, in steps.
  ///   - look: What it was.
  package init(_ sign: String, at position: Double, _ look: Look = .value) {
    self.sign = sign
    self.position = position
    self.look = look
  }
}
