/// The maximum number of keys in use at a time, and what happens beyond it.
///
/// ```swift
/// KeyLimit(maximumKeys: 10_000)                            // drops values for more keys
/// KeyLimit(maximumKeys: 10_000, whenFull: .flushEarliest)  // delivers one early to make room
/// ```
///
/// A key is in use while it has a pending value, an open window, or a delivery that is decided or
/// running.
public struct KeyLimit: Hashable, Sendable {
  /// What happens to a value for one more key.
  public struct Overflow: Hashable, Sendable {
    let flushesEarliest: Bool

    /// Drops it, with the reason `.overflow`: the default.
    public static var dropNew: Overflow { Overflow(flushesEarliest: false) }

    /// Makes room by flushing the pending value that is due next.
    ///
    /// The flushed key stays in use until its delivery has ended, and leaves no window. If an open
    /// window without a value ends first, its key is removed instead.
    ///
    /// The same number bounds the deliveries: when `maximumKeys` keys wait and as many are decided
    /// or running, a value for one more key is dropped, with the reason `.full`. So at most twice
    /// as many keys are in use.
    public static var flushEarliest: Overflow { Overflow(flushesEarliest: true) }
  }

  let maximumKeys: Int
  let whenFull: Overflow

  /// No limit: memory is proportional to the keys in use.
  public static var unlimited: KeyLimit { KeyLimit(maximumKeys: .max) }

  /// Makes a limit.
  ///
  /// - Parameters:
  ///   - maximumKeys: The maximum number of keys in use; with `.flushEarliest`, as many again may
  ///     be in delivery.
  ///   - whenFull: What happens to a value for one more key.
  /// - Precondition: `maximumKeys` is positive.
  public init(maximumKeys: Int, whenFull: Overflow = .dropNew) {
    self = ConfigurationError.trapping(try KeyLimit(validating: maximumKeys, whenFull: whenFull))
  }

  /// As `init(maximumKeys:whenFull:)`, but throws ``ConfigurationError`` for a number that is not
  /// positive, such as one known only at run time.
  public init(
    validating maximumKeys: Int, whenFull: Overflow = .dropNew
  ) throws(ConfigurationError) {
    guard maximumKeys > 0 else {
      throw ConfigurationError("maximumKeys", maximumKeys, must: "be positive")
    }
    self.maximumKeys = maximumKeys
    self.whenFull = whenFull
  }

  var flushesEarliest: Bool { whenFull.flushesEarliest }

  /// The maximum number of keys in use, including those that are leaving.
  var ceiling: Int { flushesEarliest ? maximumKeys.adding(maximumKeys) : maximumKeys }
}
