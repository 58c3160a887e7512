internal import Pacing

/// What a shared limit has answered so far.
public struct SharedLimitStatistics: Hashable, Sendable {
  /// Requests that were granted.
  public internal(set) var granted = 0

  /// Requests that were refused.
  public internal(set) var refused = 0

  /// Of the granted, those that a lease answered without a call.
  public internal(set) var fromLeases = 0

  /// Of the refused, those that a remembered refusal answered without a call.
  public internal(set) var fromMemory = 0

  /// Of both, those that the failure policy answered.
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
