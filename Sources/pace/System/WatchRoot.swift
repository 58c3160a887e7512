/// A file or directory to watch, as it was named on the command line.
struct WatchRoot: Sendable {
  let path: Path

  /// Where the file was found last: the path without links, nil where there is none at present.
  private(set) var target: Path?

  /// Finds the file.
  ///
  /// - Throws: an error where there is none.
  init(_ path: Path) throws(CommandError) {
    self.path = path
    do {
      target = try path.resolved()
    } catch {
      throw .unwatchable(path, "\(error)")
    }
  }

  /// Finds the file again, which may be another one now.
  mutating func renew() {
    target = (try? path.resolved()) ?? target
  }

  /// The entries of directories that lead to it: its own, and that of a link to it.
  ///
  /// Whoever replaces the file replaces one of them, as editors do that write a new file and rename
  /// it.
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
