/// A file or directory to watch, as it was named on the command line.
struct WatchRoot: Sendable {
  let path: Path

  /// The path without links at which the file was found last.
  private(set) var target: Path?

  /// The file that was there at the last look.
  private var identity: Path.Identity?

  /// Finds the file.
  ///
  /// - Throws: An error if there is none.
  init(_ path: Path) throws(CommandError) {
    self.path = path
    do {
      target = try path.resolved()
    } catch {
      throw .unwatchable(path, "\(error)")
    }
    identity = path.identity
  }

  /// Finds the file again, which may have been replaced.
  mutating func renew() {
    target = (try? path.resolved()) ?? target
  }

  /// Looks which file is there.
  ///
  /// - Returns: Whether that has changed since the last look, also from or to none.
  mutating func look() -> Bool {
    let before = identity
    identity = path.identity
    return identity != before
  }

  /// The path of a file as the command line spells it, or nil unless it is this root or below it.
  func spelling(of file: Path) -> Path? {
    if let target, file.isWithin(target) {
      let rest = file.bytes.dropFirst(target.bytes.count).drop { $0 == UInt8(ascii: "/") }
      return rest.isEmpty ? path : path.appending(Array(rest))
    }
    return entries.contains { $0.directory.appending($0.name) == file } ? path : nil
  }

  /// The directory entries that are it: as the command line names it, and without links.
  ///
  /// Replacing the file replaces one of them, as editors do that write a new file and rename it.
  var entries: [(directory: Path, name: [UInt8])] {
    [path, target].compactMap { $0?.entry }.map(Self.resolved)
  }

  /// The directory entries above it that lead to it, the outer ones first.
  ///
  /// Replacing a directory, or a link to one, replaces the file.
  var steps: [(directory: Path, name: [UInt8])] {
    [path, target].flatMap { file in
      var steps = [(directory: Path, name: [UInt8])]()
      var next = file?.entry?.directory.entry
      while let step = next {
        steps.insert(Self.resolved(step), at: 0)
        next = step.directory.entry
      }
      return steps
    }
  }

  private static func resolved(
    _ entry: (directory: Path, name: [UInt8])
  ) -> (directory: Path, name: [UInt8]) {
    ((try? entry.directory.resolved()) ?? entry.directory, entry.name)
  }
}

extension CommandError {
  /// The path cannot be watched.
  static func unwatchable(_ path: Path, _ reason: String) -> CommandError {
    CommandError("cannot watch \(path.text.quoted): \(reason)", status: .inputOutput)
  }
}

extension [WatchRoot] {
  /// The path of a file as the command line spells it.
  func spelling(of file: Path) -> Path {
    lazy.compactMap { $0.spelling(of: file) }.first ?? file
  }
}
