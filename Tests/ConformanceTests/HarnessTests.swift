import Foundation
import TestSupport
import Testing

/// A gate that cannot fail is not a gate.
@Suite("Conformance harness")
struct HarnessTests {
  private let conformance = Conformance(drivers: .all)

  @Test("passes what is right, fails what is wrong, counts what is missing", arguments: Sample.all)
  func verdict(sample: Sample) {
    let report = conformance.report(
      on: [VectorFile(name: "sample.json") { Data("[\(sample.json)]".utf8) }])
    switch sample.verdict {
    case .passed:
      #expect(report.passed == 1)
    case .failed(let reason):
      #expect(report.failures.count == 1)
      #expect(report.failures.first?.contains(reason) == true, "\(report)")
    case .unsupported(let tool, let missing):
      #expect(report.unsupported == ["\(tool) \(missing)": 1])
    }
    #expect(report.passed + report.failures.count + report.unsupported.values.reduce(0, +) == 1)
  }

  @Test("reads the JSON files of a folder, and nothing else in it")
  func folder() throws {
    let folder = FileManager.default.temporaryDirectory
      .appending(path: "vectors-\(UUID().uuidString)", directoryHint: .isDirectory)
    defer { try? FileManager.default.removeItem(at: folder) }
    let inner = folder.appending(path: "inner.json", directoryHint: .isDirectory)
    try FileManager.default.createDirectory(at: inner, withIntermediateDirectories: true)
    let good = "[\(Sample.all[0].json)]"
    try Data(good.utf8).write(to: folder.appending(path: "good.json"))
    try Data(good.utf8).write(to: inner.appending(path: "deeper.json"))
    try Data(good.utf8).write(to: folder.appending(path: "notes.md"))
    try Data("[{]".utf8).write(to: folder.appending(path: "torn.json"))

    let report = conformance.report(on: try VectorFile.all(in: folder))
    #expect(report.passed == 1)
    #expect(report.failures.count == 1)
    #expect(report.failures.first?.hasPrefix("torn.json: unreadable") == true)
    #expect(report.summary == "conformance: 1 passed, 1 failed, 0 unsupported")
    #expect(report.description.hasSuffix(report.summary))
  }

  /// In every eighth vector, and in all of them in the release gate.
  @Test("notices a row too many in every vector that it passes")
  func damage() throws {
    let step = Soak.scale < 4 ? 8 : 1
    let files = try VectorFile.all(in: VectorFile.committed).map { file in
      let cases = try file.cases.get()
      let damaged = stride(from: 0, to: cases.count, by: step).compactMap { cases[$0].damaged }
      return VectorFile(name: file.name, cases: .success(damaged))
    }
    let report = conformance.report(on: files)
    #expect(report.passed == 0)
    #expect(!report.failures.isEmpty)
  }
}

extension JSON {
  /// The case with one extra row in the binding answer; nil if that is not a list of rows.
  fileprivate var damaged: JSON? {
    guard var fields = members, fields["expect_total"] == nil, fields["property"] == nil else {
      return nil
    }
    for name in ["expect", "expect_timer_first", "expect_ours", "ours"] {
      guard let json = fields[name] else { continue }
      guard let rows = json.elements else { return nil }
      fields[name] = .array([.array([.integer(0), .string("damage")])] + rows)
    }
    return .object(fields)
  }
}
