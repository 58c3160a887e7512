import Foundation

/// The files that the tests compare.
enum Repository {
  static let root = URL(filePath: #filePath)
    .deletingLastPathComponent().appending(path: "../../..").standardized

  /// The text of a file, by its path from the root.
  static func text(of path: String) throws -> String {
    try String(contentsOf: root.appending(path: path), encoding: .utf8)
  }

  /// The texts of the files of a folder and of the folders in it, by path.
  ///
  /// Hidden folders are not looked into: they hold what was built or fetched, by any user.
  static func texts(in folder: String, withSuffix suffix: String) throws -> [String: String] {
    var texts = [String: String]()
    for name in try FileManager.default.contentsOfDirectory(
      atPath: root.appending(path: folder).path)
    where !name.hasPrefix(".") {
      let path = "\(folder)/\(name)"
      if name.hasSuffix(suffix) {
        texts[path] = try text(of: path)
      } else if isFolder(path) {
        texts.merge(try Self.texts(in: path, withSuffix: suffix)) { $1 }
      }
    }
    return texts
  }

  private static func isFolder(_ path: String) -> Bool {
    var isFolder = ObjCBool(false)
    return FileManager.default.fileExists(
      atPath: root.appending(path: path).path, isDirectory: &isFolder) && isFolder.boolValue
  }

  /// The Swift files under Tests, by path, read once.
  static let tests = Result { try texts(in: "Tests", withSuffix: ".swift") }

  /// The README and everything in Markdown under Documentation and .github, by path.
  static func guides() throws -> [String: String] {
    var guides = try texts(in: "Documentation", withSuffix: ".md")
    guides.merge(try texts(in: ".github", withSuffix: ".md")) { $1 }
    guides["README.md"] = try text(of: "README.md")
    return guides
  }

  /// The first pages of the catalogs, by path.
  static func frontPages() throws -> [String: String] {
    try texts(in: "Sources", withSuffix: ".md").filter { path, _ in
      path.split(separator: "/").count == 4
    }
  }

  /// The name of a guide: the last part of its path without its ending.
  static func name(of path: String) -> String {
    URL(filePath: path).deletingPathExtension().lastPathComponent
  }
}

/// The guides: every page but those about the project itself.
enum Guides {
  static let names = [
    "Choosing", "Timers", "Debouncing", "Throttling", "Batching", "Delivering", "Operators",
    "RateLimiting", "SharedLimits", "Retrying", "Testing", "Guarantees", "Performance",
  ]
}
