/// The maximum number of keys in use at a time, and what happens beyond it.
///
/// A key is in use while it has a pending value, an open window, or a delivery that is decided or
/// running.
public struct KeyLimit: Hashable, Sendable {
  let maximum: Int
  let flushesEarliest: Bool

  /// No limit: memory is proportional to the keys in use.
  public static var unlimited: KeyLimit { KeyLimit(maximum: .max, flushesEarliest: false) }

  /// Drops a value for a key beyond the limit, with the reason `.overflow`.
  ///
  /// - Parameter maximum: The maximum number of keys in use.
  /// - Returns: The limit.
  /// - Precondition: `maximum` is positive.
  public static func dropNew(above maximum: Int) -> KeyLimit {
    ConfigurationError.trapping { () throws(ConfigurationError) in
      try KeyLimit(validatingMaximum: maximum)
    }
  }

  /// Makes room for one more key by flushing the pending value that is due next.
  ///
  /// The flushed key stays in use until its delivery has ended, and leaves no window. If an open
  /// window without a value ends first, its key is removed instead.
  ///
  /// The same number bounds the deliveries: when `maximum` keys wait and as many are decided or
  /// running, a value for one more key is dropped, with the reason `.full`.
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

  /// The maximum number of keys in use, including those that are leaving.
  var ceiling: Int { flushesEarliest ? maximum.adding(maximum) : maximum }

  private init(maximum: Int, flushesEarliest: Bool) {
    self.maximum = maximum
    self.flushesEarliest = flushesEarliest
  }
}
