import Pacing
import TestSupport

/// Which of several values is delivered, for a tool and for a model.
enum Keeping: CaseIterable {
  case latest, first, sum

  var keep: Keep<Int> {
    switch self {
    case .latest: .latest
    case .first: .first
    case .sum: .reducing(+)
    }
  }

  /// The pending value after another one arrives.
  func value(_ value: Int, after pending: Int?) -> Int {
    guard let pending else { return value }
    return switch self {
    case .latest: value
    case .first: pending
    case .sum: pending + value
    }
  }
}

/// A rule by which some values have a separate wait.
enum Varying {
  static func wait(of value: Int) -> Int? { value.isMultiple(of: 3) ? value % 17 : nil }

  static let rule: @Sendable (Int) -> Duration? = { value in
    wait(of: value).map { .milliseconds($0) }
  }
}

extension Edges {
  static func random(_ random: inout SplitMix64) -> Edges {
    [leading, trailing, both].randomElement(using: &random)!
  }
}

extension Finish {
  static func random(_ random: inout SplitMix64) -> Finish {
    [whenDue, atOnce, discard].randomElement(using: &random)!
  }

  /// One of them, or nil for the tool's default.
  static func perhaps(_ random: inout SplitMix64) -> Finish? {
    [whenDue, atOnce, discard, nil].randomElement(using: &random)!
  }
}
