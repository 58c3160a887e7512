/// How many keys a keyed tool has in use at a time, and what happens when there is one more.
///
/// A key is in use while it has a pending value, an open window, or a delivery that is decided or
/// running.
public struct KeyLimit: Hashable, Sendable {
  let maximum: Int
  let flushesEarliest: Bool

  /// No limit: memory follows the keys in use.
  public static var unlimited: KeyLimit { KeyLimit(maximum: .max, flushesEarliest: false) }

  /// Drops a value for one more key, with the reason `.overflow`.
  ///
  /// - Parameter maximum: The maximum number of keys in use.
  /// - Returns: The limit.
  /// - Precondition: `maximum` is positive.
  public static func dropNew(above maximum: Int) -> KeyLimit {
    ConfigurationError.trapping { () throws(ConfigurationError) in
      try KeyLimit(validatingMaximum: maximum)
    }
  }

  /// Makes room for one more key: flushes the pending value that is due next.
  ///
  /// The flushed key is in use until its delivery has ended, and leaves no window. If an open
  /// window without a value ends first, its key is forgotten instead.
  ///
  /// Deliveries on their way are bounded by the same number: when `maximum` keys wait and as many
  /// are decided or running, a value for one more key is dropped, with the reason `.full`.
  ///
  /// - Parameter maximum: The maximum number of keys that wait; at most twice as many are in use.
  /// - Returns: The limit.
  /// - Precondition: `maximum` is positive.
  public static func flushEarliest(above maximum: Int) -> KeyLimit {
    ConfigurationError.trapping { () throws(ConfigurationError) in
      try KeyLimit(validatingMaximum: maximum, flushingEarliest: true)
    }
  }

  /// Makes a limit from values known only at run time.
  ///
  /// - Parameters:
  ///   - maximum: The maximum number of keys.
  ///   - flushesEarliest: Whether to make room as ``flushEarliest(above:)`` does; otherwise a value
  ///     for one more key is dropped.
  /// - Throws: `ConfigurationError` if `maximum` is not positive.
  public init(
    validatingMaximum maximum: Int, flushingEarliest flushesEarliest: Bool = false
  ) throws(ConfigurationError) {
    guard maximum > 0 else { throw ConfigurationError("above", maximum, must: "be positive") }
    self.init(maximum: maximum, flushesEarliest: flushesEarliest)
  }

  /// How many keys may be in use while some of them leave.
  var ceiling: Int { flushesEarliest ? maximum.adding(maximum) : maximum }

  private init(maximum: Int, flushesEarliest: Bool) {
    self.maximum = maximum
    self.flushesEarliest = flushesEarliest
  }
}
