import Foundation

/// A program in another language that prints what it has measured: lines of a name, a value and a
/// unit.
struct Program {
  private let path: URL

  /// The programs in a folder, in the order of their names.
  static func all(in folder: String) throws -> [Program] {
    try FileManager.default
      .contentsOfDirectory(at: URL(filePath: folder), includingPropertiesForKeys: nil)
      .sorted { $0.lastPathComponent < $1.lastPathComponent }
      .map(Program.init)
  }

  /// The row that runs it in each round; it is run once before, to know what it prints.
  func row() throws -> Row {
    let figures = try run().map { Row.Figure(name: $0.name, unit: $0.unit) }
    return Row(path.lastPathComponent, figures) {
      guard let lines = try? run(), lines.map(\.name) == figures.map(\.name) else {
        return figures.map { _ in .nan }
      }
      return lines.map(\.value)
    }
  }

  private init(_ path: URL) {
    self.path = path
  }

  private func run() throws -> [(name: String, value: Double, unit: String)] {
    let process = Process()
    let output = Pipe()
    process.executableURL = path
    process.standardOutput = output
    try process.run()
    let text = try output.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    return try String(decoding: text, as: UTF8.self).split(separator: "\n").map { line in
      let words = line.split(separator: "\t").map(String.init)
      guard words.count == 3, let value = Double(words[1]) else {
        throw Options.Failure(description: "\(path.lastPathComponent) printed \(line)")
      }
      return (words[0], value, words[2])
    }
  }
}
