/// What the command line asks for.
struct Options {
  struct Failure: Error, CustomStringConvertible {
    let description: String
  }

  private(set) var effort = Effort.standard
  private var parts = [String]()

  init(_ words: some Collection<String>) throws(Failure) {
    var words = Array(words)[...]
    while let word = words.popFirst() {
      switch word {
      case "--smoke": effort = .smoke
      case "--rounds":
        guard let rounds = words.popFirst().flatMap({ Int($0) }), rounds > 0 else {
          throw Failure(description: "--rounds needs a positive number")
        }
        effort.rounds = rounds
      case _ where word.hasPrefix("-"): throw Failure(description: "unknown option \(word)")
      default: parts.append(word)
      }
    }
  }

  /// Whether the row is to be measured; the clock read always is, for the others are compared with
  /// it.
  func includes(_ row: Row) -> Bool {
    parts.isEmpty || parts.contains { row.name.contains($0) } || row.name == Rows.clockRead
  }
}
