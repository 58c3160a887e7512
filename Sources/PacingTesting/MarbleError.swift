/// A syntax error in a marble timeline.
public struct MarbleError: Error, Hashable, Sendable {
  /// The text.
  public let text: String

  /// The offset of the wrong character.
  public let position: Int

  /// What is wrong.
  public let reason: String
}

extension MarbleError: CustomStringConvertible {
  /// The reason, the text, and a caret below the wrong character.
  public var description: String {
    // A newline in the text would misplace the caret.
    let line = String(text.map { $0.isNewline || $0 == "\t" ? "␤" : $0 })
    return """
      not a marble timeline: \(reason)
        \(line)
        \(String(repeating: " ", count: position))^
      """
  }
}

/// The error of a stream whose timeline has a `#`.
public struct MarbleFailure: Error, Hashable, Sendable {
  /// Creates the failure.
  public init() {}
}
