/// Cases on which the libraries disagree.
///
/// `ours` is a list of rows or of bare answers, one answer, or one per tool or jitter.
extension Vector {
  /// Members of a single answer that is an object.
  private static let answers: Set = ["min", "mean", "ok", "refused", "allowed", "scheduled"]

  func contradiction(_ ours: JSON) throws(Obstacle) -> [Question] {
    guard let config = fields["config"]?.members else { throw .malformed("config is no object") }
    guard let variants = ours.members, Self.answers.isDisjoint(with: variants.keys) else {
      let expected = try Expected(ours: ours)
      return [Question(tool: tool, config: config, expected: expected)]
    }
    var questions = [Question]()
    for (variant, answer) in variants.sorted(by: { $0.key < $1.key }) {
      if tool == "backoff" {
        let jittered = try config.merging(jitter(variant)) { $1 }
        let expected = try Expected(ours: .array([answer]))
        questions.append(Question(tool: tool, config: jittered, expected: expected))
      } else {
        // Each tool uses its default edges.
        let common = config.filter { $0.key != "leading" && $0.key != "trailing" }
        let expected = try Expected(ours: answer)
        questions.append(Question(tool: variant, config: common, expected: expected))
      }
    }
    return questions
  }

  /// The settings for a jitter such as "full" or "proportional 0.1".
  private func jitter(_ name: String) throws(Obstacle) -> [String: JSON] {
    let words = name.split(separator: " ").map(String.init)
    switch (words.first, words.count) {
    case ("proportional", 2):
      guard let ratio = Double(words[1]) else { throw .malformed("the jitter \(name)") }
      return ["jitter": .string("plus_minus"), "jitter_ratio": .number(ratio)]
    case (let word?, 1):
      return ["jitter": .string(word)]
    default:
      throw .missing("jitter")
    }
  }
}

extension Expected {
  /// The rows of a contradiction, in which the end is written as a value.
  fileprivate init(ours: JSON) throws(Obstacle) {
    var rows = ours.elements ?? [ours]
    var end = End.unchecked
    let ends = ["<complete>": "complete", "<error>": "error"]
    if let last = rows.last?.elements, last.count == 2,
      let word = last[1].text.flatMap({ ends[$0] })
    {
      rows.removeLast()
      end = .at(.array([last[0], .string(word)]))
    }
    self.init(rows: rows.map(ExpectedRow.init(bareOrKeyed:)), end: end)
  }
}
