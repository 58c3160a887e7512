/// How many keys a keyed tool has at the same time, and what happens when there is one more.
///
/// A key counts while it is in use: with a pending value, an open window or a delivery on its way.
public struct KeyLimit: Hashable, Sendable {
  let maximum: Int
  let flushesEarliest: Bool

  /// As many as come: memory follows the keys that are in use.
  public static var unlimited: KeyLimit { KeyLimit(maximum: .max, flushesEarliest: false) }

  /// A value for one more key is dropped, with the reason `.overflow`.
  ///
  /// - Parameter maximum: How many keys there are at most.
  /// - Returns: The limit.
  /// - Precondition: `maximum` is positive.
  public static func dropNew(above maximum: Int) -> KeyLimit {
    ConfigurationError.trapping { () throws(ConfigurationError) in
      try KeyLimit(validatingMaximum: maximum)
    }
  }

  /// One more key makes room for itself: the value that is due next is delivered at once.
  ///
  /// That key is forgotten, and its next value finds no window. A key that has only an open window
  /// is forgotten instead, if that ends first. Where every key has a delivery on its way, one more
  /// is taken.
  ///
  /// - Parameter maximum: How many keys there are at most.
  /// - Returns: The limit.
  /// - Precondition: `maximum` is positive.
  public static func flushEarliest(above maximum: Int) -> KeyLimit {
    ConfigurationError.trapping { () throws(ConfigurationError) in
      try KeyLimit(validatingMaximum: maximum, flushingEarliest: true)
    }
  }

  /// Makes a limit from a setting that is not part of the program.
  ///
  /// - Parameters:
  ///   - maximum: How many keys there are at most.
  ///   - flushesEarliest: Whether one more key makes room for itself, as `flushEarliest(above:)`
  ///     says; where it does not, its value is dropped.
  /// - Throws: `ConfigurationError` where `maximum` is not positive.
  public init(
    validatingMaximum maximum: Int, flushingEarliest flushesEarliest: Bool = false
  ) throws(ConfigurationError) {
    guard maximum > 0 else { throw ConfigurationError("above", maximum, must: "be positive") }
    self.init(maximum: maximum, flushesEarliest: flushesEarliest)
  }

  private init(maximum: Int, flushesEarliest: Bool) {
    self.maximum = maximum
    self.flushesEarliest = flushesEarliest
  }
}
