/// How a backoff scatters its delays, so that clients that failed together do not return together.
///
/// With `d` the delay that is not scattered, and `U[a, b]` a uniform draw:
///
///     none              d
///     full              U[0, d]
///     equal             d/2 + U[0, d/2]
///     proportional(r)   d · U[1 - r, 1 + r]
///     additive(a)       d + U[0, a]
///     decorrelated      U[first, 3 · previous], previous starting at the first delay
///
/// Each is clamped to the backoff's floor and cap. `full` spreads the load best and is the usual
/// choice; `equal` keeps a minimum; `proportional` stays near the delay.
///
/// Source: Marc Brooker, "Exponential Backoff And Jitter", AWS Architecture Blog, 2015.
public struct Jitter: Hashable, Sendable {
  enum Kind: Hashable {
    case none, full, equal, decorrelated
    case proportional(Double)
    case additive(Nanoseconds)
  }

  let kind: Kind

  /// Every delay as it is.
  public static var none: Jitter { Jitter(kind: .none) }

  /// A draw from zero to the delay.
  public static var full: Jitter { Jitter(kind: .full) }

  /// At least half of the delay.
  public static var equal: Jitter { Jitter(kind: .equal) }

  /// A draw from the first delay to three times the one before; the backoff's growth does not
  /// count.
  public static var decorrelated: Jitter { Jitter(kind: .decorrelated) }

  /// The delay, plus or minus a share of it: 0.1 for ten percent either way.
  ///
  /// - Precondition: `ratio` is in `0...1`.
  public static func proportional(_ ratio: Double) -> Jitter {
    ConfigurationError.trapping(try Jitter(validatingProportion: ratio))
  }

  /// The delay, and up to `amount` more; a negative amount counts as zero.
  public static func additive(upTo amount: Duration) -> Jitter {
    Jitter(kind: .additive(Nanoseconds(wait: amount)))
  }

  /// As `proportional(_:)`, but throws ``ConfigurationError`` if `ratio` is not in `0...1`.
  public init(validatingProportion ratio: Double) throws(ConfigurationError) {
    guard (0...1).contains(ratio) else {
      throw ConfigurationError("ratio", ratio, must: "be in 0...1")
    }
    kind = .proportional(ratio)
  }

  private init(kind: Kind) {
    self.kind = kind
  }
}
