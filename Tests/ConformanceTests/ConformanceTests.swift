import Foundation
import Testing

@Suite("Conformance")
struct ConformanceTests {
  @Test("gives the binding answer to every vector")
  func vectors() throws {
    let files = try VectorFile.all(in: Self.folder)
    try #require(!files.isEmpty, "no vectors in \(Self.folder.path)")
    let report = Conformance(drivers: .all).report(on: files)
    print(report)
    for failure in report.failures { Issue.record("\(failure)") }
  }

  /// The folder that `PACING_VECTORS` names, or the committed one.
  private static var folder: URL {
    if let path = ProcessInfo.processInfo.environment["PACING_VECTORS"], !path.isEmpty {
      return URL(filePath: path, directoryHint: .isDirectory)
    }
    return URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Vectors")
  }
}
