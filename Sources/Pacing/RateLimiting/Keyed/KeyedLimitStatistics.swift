/// What a `KeyedRateLimiter` has done since it was made, and what it holds.
public struct KeyedLimitStatistics: Hashable, Sendable {
  /// The number of requests that were granted.
  public var granted: Int

  /// The number of requests that were refused, at once or while they waited.
  public var refused: Int

  /// The number of callers that left before their turn.
  public var withdrawn: Int

  /// The number of keys that gave way in a full table with a debt.
  public var forgotten: Int

  /// The number of keys that are remembered.
  public var keys: Int

  /// The number of callers that wait.
  public var waiting: Int

  /// Makes statistics, for a test of code that reads them.
  public init(
    granted: Int = 0, refused: Int = 0, withdrawn: Int = 0, forgotten: Int = 0, keys: Int = 0,
    waiting: Int = 0
  ) {
    self.granted = granted
    self.refused = refused
    self.withdrawn = withdrawn
    self.forgotten = forgotten
    self.keys = keys
    self.waiting = waiting
  }
}

extension KeyedLimitStatistics: CustomStringConvertible {
  /// The counts.
  public var description: String {
    "granted \(granted), refused \(refused), withdrawn \(withdrawn), forgotten \(forgotten), "
      + "keys \(keys), waiting \(waiting)"
  }
}
