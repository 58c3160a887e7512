/// Counts of what a ``KeyedRateLimiter`` has decided since its creation, and what it holds now.
public struct KeyedLimitStatistics: Hashable, Sendable {
  /// The number of requests granted.
  public internal(set) var granted: Int

  /// The number of requests refused, immediately or while they waited.
  public internal(set) var refused: Int

  /// The number of callers that left the queue before their turn.
  public internal(set) var withdrawn: Int

  /// The number of keys evicted before their buckets were full.
  public internal(set) var forgotten: Int

  /// The number of keys in memory.
  public internal(set) var keys: Int

  /// The number of waiters.
  public internal(set) var waiting: Int

  /// Creates the counts, to test code that reads them.
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
  /// All counts, for a log.
  public var description: String {
    "granted \(granted), refused \(refused), withdrawn \(withdrawn), forgotten \(forgotten), "
      + "keys \(keys), waiting \(waiting)"
  }
}
