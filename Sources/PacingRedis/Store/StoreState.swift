/// Whether a store answers.
public enum StoreState: Hashable, Sendable {
  /// It answers, as far as is known.
  case available
  /// It failed several times in a row; `reason` is what the client reported last.
  case unavailable(reason: String)
}

/// The store could not be asked.
public struct StoreError: Error, Hashable, Sendable {
  /// What the client reported, or what was missing.
  public let reason: String

  /// Makes an error, for tests of code that handles it.
  ///
  /// - Parameter reason: What the client reported.
  public init(reason: String) {
    self.reason = reason
  }
}

extension StoreError: CustomStringConvertible {
  /// One sentence: "the store of limits could not be asked: timeout".
  public var description: String { "the store of limits could not be asked: \(reason)" }
}

/// What a store has been asked so far.
public struct StoreStatistics: Hashable, Sendable {
  /// Calls that were made, repetitions with the source included.
  public internal(set) var calls = 0

  /// Calls that did not answer within the timeout.
  public internal(set) var timedOut = 0

  /// Calls that ended with an error or a malformed reply in time.
  public internal(set) var failed = 0

  /// Calls that were not made, because as many as allowed were on their way.
  public internal(set) var overLimit = 0

  /// Calls that were not made, because the breaker was open.
  public internal(set) var spared = 0

  /// Calls on their way, those with them that nothing waits for any more.
  public internal(set) var pending = 0

  /// What the last failure was, also one that concerns a single key; nil if there was none.
  public internal(set) var lastFailure: String?

  /// Makes empty statistics.
  public init() {}
}
