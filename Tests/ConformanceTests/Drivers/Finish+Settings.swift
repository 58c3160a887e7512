import Pacing

extension Finish {
  /// The rule for a tool's end, where `word` is what the vectors call the tool's own.
  init(_ config: Settings, atItsOwn word: String) throws(Obstacle) {
    switch try config.word("on_complete") {
    case nil, word: self = word == "drop" ? .discard : .deliver
    case "flush": self = .atOnce
    case "drop": self = .discard
    default: throw .missing("on_complete")
    }
  }
}
