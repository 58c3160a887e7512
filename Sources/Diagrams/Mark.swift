/// An event in a lane.
package struct Mark: Hashable, Sendable {
  /// The kind of an event, which determines its look.
  package enum Look: Hashable, Sendable {
    /// A value. Equal signs have the same colour in all lanes.
    case value

    /// A count, not a value.
    case number

    /// A success without a value.
    case success

    /// A failure, or a refusal.
    case failure

    /// A word without a shape: a state at this time.
    case state

    /// A call without a value: its name is above the lane.
    case call

    /// The end of everything: a bar.
    case end
  }

  /// Its time, in steps.
  package let position: Double

  /// Its label: a character or a short word.
  package let sign: String

  /// Its kind.
  package let look: Look

  /// Makes a mark.
  ///
  /// - Parameters:
  ///   - sign: Its label: a character or a short word.
  ///   - position: Its time, in steps.
  ///   - look: Its kind.
  package init(_ sign: String, at position: Double, _ look: Look = .value) {
    self.sign = sign
    self.position = position
    self.look = look
  }
}
