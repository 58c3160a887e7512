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
    KeyLimit(positive: maximum, flushesEarliest: false)
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
    KeyLimit(positive: maximum, flushesEarliest: true)
  }

  private init(maximum: Int, flushesEarliest: Bool) {
    self.maximum = maximum
    self.flushesEarliest = flushesEarliest
  }

  private init(positive maximum: Int, flushesEarliest: Bool) {
    ConfigurationError.require(maximum > 0, "above", maximum, must: "be positive")
    self.init(maximum: maximum, flushesEarliest: flushesEarliest)
  }
}
