/// The ticks of a grid that are handed out: all of them, or every nth.
public struct TickDivider: Hashable, Sendable {
  let divisor: Int

  /// Every tick.
  public static var all: TickDivider { TickDivider(divisor: 1) }

  /// The first tick and every nth after it; the others count as `missed`.
  ///
  /// - Precondition: `divisor` is positive.
  public static func everyNth(_ divisor: Int) -> TickDivider {
    ConfigurationError.trapping(try TickDivider(validatingNth: divisor))
  }

  /// Makes a divider from a number known only at run time.
  ///
  /// - Parameter divisor: The number of ticks of which the first is handed out.
  /// - Throws: ``ConfigurationError`` if `divisor` is not positive.
  public init(validatingNth divisor: Int) throws(ConfigurationError) {
    guard divisor > 0 else { throw ConfigurationError("everyNth", divisor, must: "be positive") }
    self.init(divisor: divisor)
  }

  private init(divisor: Int) {
    self.divisor = divisor
  }
}
