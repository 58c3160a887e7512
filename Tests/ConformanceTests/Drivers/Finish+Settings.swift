import Pacing

extension Finish {
  /// The `Finish` of a case; `word` is the vectors' name for the tool's default.
  init(_ config: Settings, atItsOwn word: String) throws(Obstacle) {
    switch try config.word("on_complete") {
    case nil, word: self = word == "drop" ? .discard : word == "flush" ? .atOnce : .whenDue
    case "flush": self = .atOnce
    case "drop": self = .discard
    default: throw .missing("on_complete")
    }
  }
}
