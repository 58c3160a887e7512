import Foundation
import Testing

/// `Documentation/Proofs.md` names the tests of each promise, as `Suite` or `Suite/test`, and
/// mutations; `Documentation/Guarantees.md` has the promises alone.
@Suite("Guarantees.md and Proofs.md")
struct GuaranteesTests {
  private struct Row {
    let promise: String
    let backing: String
  }

  private static func rows() throws -> [Row] {
    try Repository.text(of: "Documentation/Proofs.md").split(separator: "\n")
      .filter { $0.hasPrefix("| ") && !$0.hasPrefix("| Promise") }
      .map { line in
        let cells = line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
        try #require(cells.count == 2, "\(line)")
        return Row(promise: cells[0], backing: cells[1])
      }
  }

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
    let gates = Self.names(
      in: try Repository.text(of: ".ci/run").matches(of: /\ngate_(\w+)\(/)
        .map { "`.ci/run \($0.1)`" }.joined())
    let rows = try Self.rows()
    try #require(rows.count > 20)
    for row in rows {
      let names = Self.names(in: row.backing)
      #expect(!names.isEmpty, "nothing backs: \(row.promise)")
      for name in names {
        let isCommand =
          gates.contains(name)
          || FileManager.default.isExecutableFile(
            atPath: Repository.root.appending(path: name).path)
        #expect(tests.contains(name) || isCommand, "no test or command is called \(name)")
      }
    }
  }

  @Test("both pages have the same promises, in the same order")
  func promises() throws {
    func promises(in path: String, _ pattern: Regex<(Substring, Substring)>) throws -> [String] {
      let text = try Repository.text(of: path).split(separator: "## The tests themselves")[0]
      return text.matches(of: pattern).map { String($0.1) }
    }
    let stated = try promises(in: "Documentation/Guarantees.md", /\n- ([^\n]+)/)
    try #require(stated.count > 20)
    #expect(stated == (try promises(in: "Documentation/Proofs.md", /\n\| (?!Promise)([^|]+) \|/)))
  }

  @Test("the mutations are those of Tests/Mutations/mutations.sh, in their order")
  func mutations() throws {
    let script = try Repository.text(of: "Tests/Mutations/mutations.sh")
    let page = try Repository.text(of: "Documentation/Proofs.md")
    let planted = script.matches(of: /\nmutation '([^']+)'/).map { String($0.1) }
    let listed = page.matches(of: /\n\d+\. ([^\n]+)/).map { String($0.1) }
    try #require(planted.count >= 20)
    #expect(listed == planted)
  }
}
