import Foundation

/// The cases of one file, or why they could not be read.
struct VectorFile {
  let name: String
  let cases: Result<[JSON], any Error>

  init(_ url: URL) {
    name = url.lastPathComponent
    cases = Result { try JSONDecoder().decode([JSON].self, from: Data(contentsOf: url)) }
  }

  /// The files `*.json` directly in a folder, by name; everything else in it is left alone.
  static func all(in folder: URL) throws -> [VectorFile] {
    try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
      .filter { $0.pathExtension == "json" && !$0.isFolder }
      .sorted { $0.lastPathComponent < $1.lastPathComponent }
      .map(VectorFile.init)
  }
}

extension URL {
  fileprivate var isFolder: Bool {
    var isFolder: ObjCBool = false
    let exists = FileManager.default.fileExists(atPath: path, isDirectory: &isFolder)
    return exists && isFolder.boolValue
  }
}
