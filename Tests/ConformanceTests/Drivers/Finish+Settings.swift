import Pacing

extension Finish {
  /// The `Finish` of a case; nil for the tool's default.
  ///
  /// `word` is the vectors' name for that default, which is `usual`.
  static func asked(
    _ config: Settings, atItsOwn word: String, _ usual: Finish
  ) throws(Obstacle) -> Finish? {
    switch try config.word("on_complete") {
    case nil: nil
    case word: usual
    case "flush": .atOnce
    case "drop": .discard
    default: throw .missing("on_complete")
    }
  }
}
