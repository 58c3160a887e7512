/// The changed paths that one run of a watched command is for, in the order of their first change.
struct ChangedPaths: Sendable {
  /// The environment variable with the paths, one a line.
  static let variable = "PACE_CHANGED"

  /// The system limits the size of a command line; above this, the roots replace the paths.
  private static let limit = 65_536

  /// Linux accepts 128 KiB for a variable with its name and a zero; above this, nothing replaces
  /// the roots.
  private static let rootLimit = 131_072 - "\(variable)=".utf8.count

  private let roots: [Path]
  private var paths: [Path] = []
  private var known: Set<Path> = []
  private var size = 0

  init(_ paths: [Path] = [], below roots: [Path]) {
    let size = roots.reduce(0) { $0 + $1.bytes.count + 1 }
    self.roots = size <= Self.rootLimit ? roots : []
    add(paths)
  }

  /// Adds later changes; paths that are in it already change nothing.
  func adding(_ later: ChangedPaths) -> ChangedPaths {
    var sum = self
    sum.add(later.paths)
    return sum
  }

  private mutating func add(_ new: [Path]) {
    for path in new where size <= Self.limit && known.insert(path).inserted {
      paths.append(path)
      size += path.bytes.count + 1
    }
  }

  /// The paths: the roots if there are none, as at the start, or too many; and none if the roots
  /// are too many.
  var all: [Path] { paths.isEmpty || size > Self.limit ? roots : paths }

  /// The command for these paths: they replace each word `{}`, and are in the environment.
  static func command(_ words: [[UInt8]], for paths: [Path]) -> ChildCommand {
    let changed = paths.map(\.bytes)
    return ChildCommand(
      words: words.flatMap { $0 == Array("{}".utf8) ? changed : [$0] },
      environment: [variable: Array(changed.joined(separator: [UInt8(ascii: "\n")]))])
  }
}
