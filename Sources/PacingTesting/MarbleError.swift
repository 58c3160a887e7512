/// Why a text is no marble timeline, and where.
public struct MarbleError: Error, Hashable, Sendable {
  /// The text.
  public let text: String

  /// How many characters stand before the one that is wrong.
  public let position: Int

  /// What is wrong with it.
  public let reason: String
}

extension MarbleError: CustomStringConvertible {
  /// The reason, the text, and below it a sign where it goes wrong.
  public var description: String {
    // A newline in the text would put the sign below the wrong character.
    let line = String(text.map { $0.isNewline || $0 == "\t" ? "␤" : $0 })
    return """
      not a marble timeline: \(reason)
        \(line)
        \(String(repeating: " ", count: position))^
      """
  }
}

/// What a stream fails with where its timeline has a `#`.
public struct MarbleFailure: Error, Hashable, Sendable {
  /// Makes the failure.
  public init() {}
}
