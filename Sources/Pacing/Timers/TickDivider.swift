/// Which ticks of a grid are handed out: all of them, or every nth.
public struct TickDivider: Hashable, Sendable {
  let divisor: Int

  /// Each tick.
  public static var all: TickDivider { TickDivider(divisor: 1) }

  /// The first tick, and then every nth; the others count as `missed`.
  ///
  /// - Precondition: `divisor` is positive.
  public static func everyNth(_ divisor: Int) -> TickDivider {
    ConfigurationError.trapping { () throws(ConfigurationError) in
      try TickDivider(validatingNth: divisor)
    }
  }

  /// Makes a divider from a number that comes from outside the program.
  ///
  /// - Parameter divisor: The number of ticks of which the first is handed out.
  /// - Throws: `ConfigurationError` where it is not positive.
  public init(validatingNth divisor: Int) throws(ConfigurationError) {
    guard divisor > 0 else { throw ConfigurationError("everyNth", divisor, must: "be positive") }
    self.init(divisor: divisor)
  }

  private init(divisor: Int) {
    self.divisor = divisor
  }
}
