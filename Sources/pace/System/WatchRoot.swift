/// A file or directory to watch, as it was named on the command line.
struct WatchRoot: Sendable {
  let path: Path

  /// The path without links at which the file was found last.
  private(set) var target: Path?

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
  }

  /// Finds the file again, which may have been replaced.
  mutating func renew() {
    target = (try? path.resolved()) ?? target
  }

  /// The path of a file as the command line spells it, or nil unless it is this root or below it.
  func spelling(of file: Path) -> Path? {
    if let target, file.isWithin(target) {
      let rest = file.bytes.dropFirst(target.bytes.count).drop { $0 == UInt8(ascii: "/") }
      return rest.isEmpty ? path : path.appending(Array(rest))
    }
    return entries.contains { $0.directory.appending($0.name) == file } ? path : nil
  }

  /// The directory entries that lead to it: its own, and that of a link to it.
  ///
  /// Replacing the file replaces one of them, as editors do that write a new file and rename it.
  var entries: [(directory: Path, name: [UInt8])] {
    [target?.entry, path.isLink ? path.entry : nil].compactMap { $0 }.map { directory, name in
      ((try? directory.resolved()) ?? directory, name)
    }
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
