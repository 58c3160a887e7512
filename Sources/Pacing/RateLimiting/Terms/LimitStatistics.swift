/// Counts of what a limit has decided since its creation.
///
/// Each request is counted once, when it is decided: as granted, refused or withdrawn; that of a
/// task that is cancelled before it asks is not.
public struct LimitStatistics: Hashable, Sendable {
  /// The number of requests granted.
  public internal(set) var granted = 0

  /// The number of requests refused, immediately or while they waited.
  public internal(set) var refused = 0

  /// The number of callers that left the queue before their turn.
  public internal(set) var withdrawn = 0

  /// The total cost of all grants, as settled.
  public internal(set) var tokens = 0

  mutating func add(_ other: LimitStatistics) {
    granted &+= other.granted
    refused &+= other.refused
    withdrawn &+= other.withdrawn
    tokens &+= other.tokens
  }

  @inline(__always)
  mutating func note(_ isGranted: Bool, _ cost: Int) {
    guard isGranted else { return refused &+= 1 }
    granted &+= 1
    tokens &+= cost
  }
}
