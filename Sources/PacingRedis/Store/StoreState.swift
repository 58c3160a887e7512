/// Whether a store answers.
public enum StoreState: Hashable, Sendable {
  /// The store answers, as far as is known.
  case available
  /// The store failed several times in a row; `reason` is the last failure.
  case unavailable(reason: String)
}

/// The store was unavailable.
public struct StoreError: Error, Hashable, Sendable {
  /// The client's error, or what was missing.
  public let reason: String

  /// Creates an error, to test code that handles it.
  ///
  /// - Parameter reason: The client's error.
  public init(reason: String) {
    self.reason = reason
  }
}

extension StoreError: CustomStringConvertible {
  /// One sentence: "the store of limits could not be asked: timeout".
  public var description: String { "the store of limits could not be asked: \(reason)" }
}

/// Counts of a store's calls.
public struct StoreStatistics: Hashable, Sendable {
  /// Calls made, including repetitions with the source.
  public internal(set) var calls = 0

  /// Calls that did not answer within the timeout.
  public internal(set) var timedOut = 0

  /// Calls that ended in time with an error or a malformed reply.
  public internal(set) var failed = 0

  /// Calls not made because the limit of pending calls was reached.
  public internal(set) var overLimit = 0

  /// Calls not made because the breaker was open.
  public internal(set) var spared = 0

  /// Pending calls, including those whose callers no longer wait.
  public internal(set) var pending = 0

  /// The last failure, including one that concerns a single key; nil if there was none.
  public internal(set) var lastFailure: String?

  /// Creates empty statistics.
  public init() {}
}
