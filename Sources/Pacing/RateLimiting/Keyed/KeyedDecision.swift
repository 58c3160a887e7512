/// The answer of a ``KeyedRateLimiter`` for several keys at once.
public struct KeyedDecision<Key: Hashable & Sendable>: Hashable, Sendable {
  /// The key that refused, of several the one with the longest wait; if the cost is allowed, the
  /// key with the least remaining.
  public let key: Key

  /// The decision for that key.
  public let decision: Decision

  /// Whether the cost is allowed for all keys.
  public var isAllowed: Bool { decision.isAllowed }

  /// The key that refused, nil if the cost is allowed.
  public var refusedBy: Key? { isAllowed ? nil : key }

  package init(_ decision: Decision, of key: Key) {
    self.decision = decision
    self.key = key
  }

  package mutating func add(_ other: Decision, of key: Key) {
    let isStricter =
      if isAllowed != other.isAllowed {
        isAllowed
      } else {
        isAllowed ? other.remaining < decision.remaining : other.waitsLonger(than: decision)
      }
    if isStricter { self = KeyedDecision(other, of: key) }
  }
}
