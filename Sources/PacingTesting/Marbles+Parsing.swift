extension Marbles: ExpressibleByStringLiteral {
  /// Parses a timeline that is a constant of the test.
  ///
  /// - Precondition: The text is a timeline. Otherwise the test stops with a message that shows the
  ///   wrong character.
  public init(stringLiteral text: String) {
    do {
      try self.init(validating: text)
    } catch {
      fatalError(error.description)
    }
  }

  /// Parses a timeline.
  ///
  /// - Parameter text: The timeline.
  /// - Throws: ``MarbleError`` if the text is not a timeline.
  public init(validating text: String) throws(MarbleError) {
    var steps = [Step]()
    var group: (start: Int, marks: [Character])?
    for (position, character) in text.enumerated() {
      func failure(_ reason: String) -> MarbleError {
        MarbleError(text: text, position: position, reason: reason)
      }
      switch (character, group) {
      case (" ", _): break
      case ("(", nil): group = (position, [])
      case ("(", _?): throw failure("a group within a group")
      case (")", nil): throw failure("the end of a group that has no beginning")
      case (")", let open?):
        guard !open.marks.isEmpty else { throw failure("an empty group; write - for no mark") }
        steps.append(.marks(open.marks))
        group = nil
      case ("-", nil): steps.append(.marks([]))
      case ("~", nil): steps.append(.late)
      case ("-", _?), ("~", _?): throw failure("a group is one step; no time passes within it")
      case (let mark, let open):
        if let reason = Self.objection(to: mark) { throw failure(reason) }
        if let open {
          group = (open.start, open.marks + [mark])
        } else {
          steps.append(.marks([mark]))
        }
      }
    }
    if let group {
      throw MarbleError(text: text, position: group.start, reason: "a group that has no end")
    }
    self.init(steps)
  }

  /// Why the character cannot be a mark, nil if it can.
  private static func objection(to mark: Character) -> String? {
    switch mark.unicodeScalars.first?.properties.generalCategory {
    // What an editor makes of two hyphens, or a minus sign that was copied from elsewhere.
    case .dashPunctuation: "a dash that is not the - of the keyboard"
    case .mathSymbol where mark == "\u{2212}": "a minus sign that is not the - of the keyboard"
    case .control, .format, .lineSeparator, .paragraphSeparator, .spaceSeparator, nil:
      "a character that cannot be seen"
    default: nil
    }
  }
}
