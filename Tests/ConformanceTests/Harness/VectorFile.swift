import Foundation

/// The cases of one file, or why they are unreadable.
struct VectorFile {
  let name: String
  let cases: Result<[JSON], any Error>

  init(_ url: URL) {
    self.init(name: url.lastPathComponent) { try Data(contentsOf: url) }
  }

  init(name: String, contents: () throws -> Data) {
    self.init(name: name, cases: Result { try JSONDecoder().decode([JSON].self, from: contents()) })
  }

  init(name: String, cases: Result<[JSON], any Error>) {
    self.name = name
    self.cases = cases
  }

  /// The files `*.json` directly in a folder, sorted by name; other files are ignored.
  static func all(in folder: URL) throws -> [VectorFile] {
    try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
      .filter { $0.pathExtension == "json" && !$0.isFolder }
      .sorted { $0.lastPathComponent < $1.lastPathComponent }
      .map { VectorFile($0) }
  }

  /// The committed folder, next to the tests.
  static var committed: URL {
    URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .appending(path: "Vectors")
  }
}

extension URL {
  fileprivate var isFolder: Bool {
    var isFolder: ObjCBool = false
    let exists = FileManager.default.fileExists(atPath: path, isDirectory: &isFolder)
    return exists && isFolder.boolValue
  }
}
