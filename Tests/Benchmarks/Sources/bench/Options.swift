/// What the command line asks for.
struct Options {
  struct Failure: Error, CustomStringConvertible {
    let description: String
  }

  private(set) var effort = Effort.standard
  /// A folder of programs in other languages that are measured as well.
  private(set) var programs: String?
  /// A page whose tables are rewritten.
  private(set) var page: String?
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
      case "--programs": programs = try Self.path(of: word, &words)
      case "--page": page = try Self.path(of: word, &words)
      case _ where word.hasPrefix("-"): throw Failure(description: "unknown option \(word)")
      default: parts.append(word)
      }
    }
  }

  /// Whether the row is to be measured; the clock read always is, for the others are compared with
  /// it.
  func includes(_ row: Row) -> Bool {
    parts.isEmpty || row.name == Rows.clockRead
      || parts.contains { part in
        row.name.contains(part) || row.figures.contains { $0.name.contains(part) }
      }
  }

  private static func path(
    of option: String, _ words: inout ArraySlice<String>
  ) throws(Failure) -> String {
    guard let path = words.popFirst() else {
      throw Failure(description: "\(option) needs a path")
    }
    return path
  }
}
