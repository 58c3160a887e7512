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
    guard let path = ProcessInfo.processInfo.environment["PACING_VECTORS"], !path.isEmpty else {
      return VectorFile.committed
    }
    return URL(filePath: path, directoryHint: .isDirectory)
  }
}
