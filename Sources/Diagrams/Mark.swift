/// An event in a lane.
package struct Mark: Hashable, Sendable {
  /// The kind of an event, which determines its appearance.
  package enum Look: Hashable, Sendable {
    /// A value; equal values have the same colour in all lanes.
    case value

    /// A count, not a value.
    case number

    /// A success without a value.
    case success

    /// A failure or a refusal.
    case failure

    /// A word without a shape: the state at this time.
    case state

    /// A call without a value; its name is above the lane.
    case call

    /// The end of the lane: a bar.
    case end
  }

  /// The time, in steps.
  package let position: Double

  /// The label: a character or a short word.
  package let sign: String

  /// The kind of the event.
  package let look: Look

  /// Creates a mark.
  ///
  /// - Parameters:
  ///   - sign: The label: a character or a short word.
  ///   - position: The time, in steps.
  ///   - look: The kind of the event.
  package init(_ sign: String, at position: Double, _ look: Look = .value) {
    self.sign = sign
    self.position = position
    self.look = look
  }
}
