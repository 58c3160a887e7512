import Foundation
import Testing

@Suite("Conformance")
struct ConformanceTests {
  @Test("gives the binding answer to every vector")
  func vectors() throws {
    let report = Conformance(drivers: .all).report(on: try Self.files)
    print(report)
    for failure in report.failures { Issue.record("\(failure)") }
  }

  @Test("gives the same answers as operators, to every vector that is one of a sequence")
  func operators() throws {
    let report = Conformance(drivers: .operators).report(on: try Self.files)
    #expect(report.passed > 0)
    for failure in report.failures { Issue.record("\(failure)") }
  }

  private static var files: [VectorFile] {
    get throws {
      let files = (try? VectorFile.all(in: folder)) ?? []
      let purpose = "PACING_VECTORS names a folder of vectors, *.json"
      try #require(!files.isEmpty, "nothing to read in \(folder.path): \(purpose)")
      return files
    }
  }

  /// The folder in `PACING_VECTORS`, or the committed one.
  private static var folder: URL {
    guard let path = ProcessInfo.processInfo.environment["PACING_VECTORS"], !path.isEmpty else {
      return VectorFile.committed
    }
    return URL(filePath: path, directoryHint: .isDirectory)
  }
}
