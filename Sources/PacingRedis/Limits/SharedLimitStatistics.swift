internal import Pacing

/// Counts of a shared limit's answers.
public struct SharedLimitStatistics: Hashable, Sendable {
  /// Granted requests, and calls of `take(upTo:)` that took something.
  public internal(set) var granted = 0

  /// Refused requests.
  public internal(set) var refused = 0

  /// Granted requests that a lease answered without a call.
  public internal(set) var fromLeases = 0

  /// Refused requests that a remembered refusal answered without a call.
  public internal(set) var fromMemory = 0

  /// Requests that the failure policy answered, granted or refused.
  public internal(set) var byFailurePolicy = 0

  /// Creates the counts, to test code that reads them.
  public init(
    granted: Int = 0, refused: Int = 0, fromLeases: Int = 0, fromMemory: Int = 0,
    byFailurePolicy: Int = 0
  ) {
    self.granted = granted
    self.refused = refused
    self.fromLeases = fromLeases
    self.fromMemory = fromMemory
    self.byFailurePolicy = byFailurePolicy
  }

  mutating func note(_ isAllowed: Bool, _ source: Decision.Source) {
    if isAllowed { granted += 1 } else { refused += 1 }
    switch source {
    case .lease: fromLeases += 1
    case .memory: fromMemory += 1
    case .failurePolicy: byFailurePolicy += 1
    default: break
    }
  }
}

extension SharedLimitStatistics: CustomStringConvertible {
  /// All counts, for a log.
  public var description: String {
    "granted \(granted), refused \(refused), from leases \(fromLeases), "
      + "from memory \(fromMemory), by failure policy \(byFailurePolicy)"
  }
}
