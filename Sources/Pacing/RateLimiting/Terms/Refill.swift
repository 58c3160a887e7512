/// How tokens arrive in a bucket: one by one, or many at a time.
///
/// A rate of three in twelve steps, spent on arrival, by the number of tokens:
///
///     step        0123456789012345678901234
///     continuous  ----1---1---1---1---1---1
///     stepwise    ------------3-----------3  the tokens of a period, at its end
public struct Refill: Hashable, Sendable {
  /// A grid of instants, at each of which the tokens accrued since the previous one arrive.
  struct Steps: Hashable {
    let period: Nanoseconds
    /// The time from the bucket's creation to one of the instants.
    let phase: Nanoseconds
  }

  /// Nil if each token arrives by itself.
  let steps: Steps?

  /// Each token arrives when it is due: the smoothest, and the default.
  public static var continuous: Refill { Refill(steps: nil) }

  /// All tokens of a period arrive at its end, like a quota that is renewed on the hour.
  ///
  /// - Parameters:
  ///   - period: The time between steps; the rate determines how many tokens arrive in it.
  ///   - first: The time from the bucket's creation to the first step, nil for one period. The grid
  ///     extends in both directions, so it may be negative.
  /// - Returns: A stepwise refill.
  /// - Precondition: `period` is positive.
  public static func stepwise(every period: Duration, first: Duration? = nil) -> Refill {
    ConfigurationError.trapping(try Refill(validatingPeriod: period, first: first))
  }

  /// As `stepwise(every:first:)`, but throws ``ConfigurationError`` if `period` is not positive,
  /// such as one known only at run time.
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
