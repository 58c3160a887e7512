/// The verdict on one case.
enum Verdict: Hashable {
  case passed
  /// The case, the expectation and the outcome.
  case failed(String)
  /// The tool, and the missing class.
  case unsupported(String, String)
}

/// The verdicts on all cases.
struct Report {
  private(set) var passed = 0
  private(set) var failures = [String]()
  private(set) var unsupported = [String: Int]()

  mutating func add(_ verdict: Verdict) {
    switch verdict {
    case .passed: passed += 1
    case .failed(let failure): failures.append(failure)
    case .unsupported(let tool, let missing): unsupported["\(tool) \(missing)", default: 0] += 1
    }
  }

  /// The last line.
  var summary: String {
    let missing = unsupported.values.reduce(0, +)
    return "conformance: \(passed) passed, \(failures.count) failed, \(missing) unsupported"
  }
}

extension Report: CustomStringConvertible {
  var description: String {
    let missing = unsupported.sorted { $0.key < $1.key }.map { "unsupported: \($0) \($1)" }
    return (missing + failures.map { "failed: \($0)" } + [summary]).joined(separator: "\n")
  }
}
