/// How a backoff scatters its delays, so that clients that failed together do not return together.
///
/// With `d` the delay that is not scattered, and `U[a, b]` a uniform draw:
///
///     none              d
///     full              U[0, d]
///     equal             d/2 + U[0, d/2]
///     proportional(r)   d · U[1 - r, 1 + r]
///     decorrelated      U[first, 3 · previous], previous starting at the first delay
///
/// Each is clamped to the backoff's cap. `full` spreads the load best and is the usual choice;
/// `equal` keeps a minimum; `proportional` stays near the delay.
///
/// Source: Marc Brooker, "Exponential Backoff And Jitter", AWS Architecture Blog, 2015.
public struct Jitter: Hashable, Sendable {
  enum Kind: String, Codable {
    case none, full, equal, decorrelated, proportional
  }

  let kind: Kind
  /// The share of a proportional one; else zero.
  private(set) var ratio = 0.0

  /// Every delay as it is.
  public static var none: Jitter { Jitter(kind: .none) }

  /// A draw from zero to the delay.
  public static var full: Jitter { Jitter(kind: .full) }

  /// At least half of the delay.
  public static var equal: Jitter { Jitter(kind: .equal) }

  /// A draw from the first delay to three times the one before, whatever the backoff's growth.
  public static var decorrelated: Jitter { Jitter(kind: .decorrelated) }

  /// The delay, plus or minus a share of it: 0.1 for ten percent either way.
  ///
  /// - Precondition: `ratio` is in `0...1`.
  public static func proportional(_ ratio: Double) -> Jitter {
    ConfigurationError.trapping(try checked(ratio))
  }

  package static func checked(_ ratio: Double) throws(ConfigurationError) -> Jitter {
    guard (0...1).contains(ratio) else {
      throw ConfigurationError("ratio", ratio, must: "be in 0...1")
    }
    return Jitter(kind: .proportional, ratio: ratio)
  }
}

extension Jitter: CustomStringConvertible {
  /// A few words, for a log: "full jitter".
  public var description: String {
    switch kind {
    case .none: "no jitter"
    case .proportional: "proportional jitter of \(ratio)"
    case .full, .equal, .decorrelated: "\(kind) jitter"
    }
  }
}
