internal import Pacing

/// Counts of a shared limit's answers.
public struct SharedLimitStatistics: Hashable, Sendable {
  /// Granted requests.
  public internal(set) var granted = 0

  /// Refused requests.
  public internal(set) var refused = 0

  /// Granted requests that a lease answered without a call.
  public internal(set) var fromLeases = 0

  /// Refused requests that a remembered refusal answered without a call.
  public internal(set) var fromMemory = 0

  /// Requests that the failure policy answered, granted or refused.
  public internal(set) var byFailurePolicy = 0

  /// Makes empty statistics.
  public init() {}

  mutating func note(_ isAllowed: Bool, _ source: DecisionSource) {
    if isAllowed { granted += 1 } else { refused += 1 }
    switch source {
    case .lease: fromLeases += 1
    case .memory: fromMemory += 1
    case .failurePolicy: byFailurePolicy += 1
    default: break
    }
  }
}
