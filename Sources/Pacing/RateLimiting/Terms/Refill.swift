/// How the tokens of a rate come into a bucket: one by one, or so many at a time.
///
/// A rate of three in twelve steps of time, spent as it comes, by the number of tokens:
///
///     step        0123456789012345678901234
///     continuous  ----1---1---1---1---1---1
///     stepwise    ------------3-----------3  the tokens of a period, at its end
public struct Refill: Hashable, Sendable {
  /// A grid of instants, each of which brings what has come since the one before.
  struct Steps: Hashable {
    let period: Nanoseconds
    /// From the making of the bucket to one of the instants.
    let phase: Nanoseconds
  }

  /// Nil where each token comes by itself.
  let steps: Steps?

  /// Each token comes when it is due: the smoothest, and the default.
  public static var continuous: Refill { Refill(steps: nil) }

  /// The tokens of each period come together, at its end, as a quota that is renewed on the hour.
  ///
  /// - Parameters:
  ///   - period: The time from one step to the next; the rate says how many tokens come in it.
  ///   - first: The time from the making of the bucket to the first step, nil for one period. The
  ///     grid goes back from there too, so that a negative one is as good.
  /// - Returns: A refill in steps.
  /// - Precondition: `period` is positive.
  public static func stepwise(every period: Duration, first: Duration? = nil) -> Refill {
    ConfigurationError.trapping { () throws(ConfigurationError) in
      try Refill(validatingPeriod: period, first: first)
    }
  }

  /// Makes a refill in steps from settings that are not part of the program.
  ///
  /// - Parameters:
  ///   - period: The time from one step to the next.
  ///   - first: The time from the making of the bucket to the first step, nil for one period.
  /// - Throws: `ConfigurationError` where `period` is not positive.
  public init(
    validatingPeriod period: Duration, first: Duration? = nil
  ) throws(ConfigurationError) {
    guard period > .zero else { throw ConfigurationError("period", period, must: "be positive") }
    let period = Nanoseconds(roundingUp: period)
    self.init(
      steps: Steps(period: period, phase: first.map(Nanoseconds.init(roundingUp:)) ?? period))
  }

  private init(steps: Steps?) {
    self.steps = steps
  }
}
