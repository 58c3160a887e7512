import Foundation
import Testing

/// `Documentation/Guarantees.md` names the tests of each promise in a comment behind it: a suite,
/// one of its tests as `Suite/test`, or a command of the project.
@Suite("Guarantees.md")
struct GuaranteesTests {

  /// The names in backticks.
  private static func names(in text: String) -> [String] {
    text.matches(of: /`([^`]+)`/).map { String($0.1) }
  }

  /// The tests of a source: each suite, and each function of it that is a test.
  private static func tests(in source: String) -> Set<String> {
    var tests = Set<String>()
    var suite = ""
    var (isSuite, isTest) = (false, false)
    for line in source.split(separator: "\n") {
      // Most lines are none of these, and a regular expression takes its time to say so.
      let isMarked = line.utf8.contains(UInt8(ascii: "@")) || line.hasPrefix("extension ")
      guard isSuite || isTest || isMarked else { continue }
      isSuite = isSuite || line.contains("@Suite")
      if isSuite, let match = line.firstMatch(of: /struct (\w+)/) {
        suite = String(match.1)
        tests.insert(suite)
        isSuite = false
      } else if let match = line.firstMatch(of: /^extension (\w+)/) {
        suite = String(match.1)
      }
      isTest = isTest || line.contains("@Test")
      if isTest, let match = line.firstMatch(of: /func (\w+)\(/) {
        tests.insert("\(suite)/\(match.1)")
        isTest = false
      }
    }
    return tests
  }

  private static let tests = Result {
    try Repository.tests.get().values.reduce(into: Set<String>()) { $0.formUnion(tests(in: $1)) }
  }

  @Test("each row of the attacks in SECURITY.md names tests that exist")
  func attacks() throws {
    let tests = try Self.tests.get()
    let rows = try Repository.text(of: ".github/SECURITY.md").split(separator: "\n")
      .filter { $0.hasPrefix("| ") && !$0.hasPrefix("| Attack") }
    try #require(rows.count > 10)
    for row in rows {
      let names = Self.names(in: String(row.split(separator: "|").last ?? ""))
      #expect(!names.isEmpty && tests.isSuperset(of: names), "\(row)")
    }
  }

  @Test("each promise is backed by tests that exist, or by a command of the project")
  func backing() throws {
    let tests = try Self.tests.get()
    let gates = try Repository.text(of: ".ci/run").matches(of: /\ngate_(\w+)\(/)
      .map { ".ci/run \($0.1)" }
    let promises = try Repository.text(of: "Documentation/Guarantees.md").split(separator: "\n")
      .filter { $0.hasPrefix("- ") }
    try #require(promises.count > 60)
    for promise in promises {
      let backing = promise.firstMatch(of: /<!-- (.+) -->$/)?.1.split(separator: ", ") ?? []
      #expect(!backing.isEmpty, "nothing backs: \(promise)")
      for name in backing.map(String.init) {
        let isCommand =
          gates.contains(name)
          || FileManager.default.isExecutableFile(
            atPath: Repository.root.appending(path: name).path)
        #expect(tests.contains(name) || isCommand, "no test or command is called \(name)")
      }
    }
  }
}
