/// How long to wait before each retry: constant or exponential, with a cap and jitter.
///
/// ```swift
/// Backoff.exponential(from: .milliseconds(100)).capped(at: .seconds(20)).jittered(.full)
/// ```
///
/// The delay before retry k is `min(cap, base · factor^(k-1))`, scattered by the jitter and clamped to
/// the cap again. It saturates: the millionth delay is the cap, or as long as time goes.
///
///     exponential(from: 100 ms).capped(at: 1 s)    100  200  400  800  1000  1000 …
///
/// A backoff is a value and holds no position; `delays()` is one run through it.
public struct Backoff: Hashable, Sendable {
  let base: Nanoseconds
  let factor: Double
  var cap = Nanoseconds.never
  var jitter = Jitter.none
  var seed: UInt64?

  /// No delays at all: every retry is made at once.
  public static var none: Backoff { .constant(.zero) }

  /// The same delay before every retry.
  ///
  /// - Precondition: `delay` is not negative.
  public static func constant(_ delay: Duration) -> Backoff {
    exponential(from: delay, factor: 1)
  }

  /// Delays that begin with `base` and grow by `factor` from one to the next.
  ///
  /// - Parameters:
  ///   - base: The first delay.
  ///   - factor: What each delay is multiplied by to get the next.
  /// - Returns: The backoff, without a cap and without jitter.
  /// - Precondition: `base` is not negative; `factor` is finite and at least 1.
  public static func exponential(from base: Duration, factor: Double = 2) -> Backoff {
    ConfigurationError.trapping { () throws(ConfigurationError) in
      try Backoff(validating: base, factor: factor)
    }
  }

  /// Makes a backoff from settings that are not part of the program.
  ///
  /// - Parameters:
  ///   - base: The first delay.
  ///   - factor: What each delay is multiplied by to get the next; 1 for a constant delay.
  ///   - cap: The longest delay, nil for none.
  ///   - jitter: How the delays are scattered.
  /// - Throws: `ConfigurationError` where `base` or `cap` is negative, or `factor` is below 1 or not
  ///   finite.
  public init(
    validating base: Duration, factor: Double = 2, cap: Duration? = nil, jitter: Jitter = .none
  ) throws(ConfigurationError) {
    guard base >= .zero else { throw ConfigurationError("base", base, must: "not be negative") }
    guard factor >= 1, factor.isFinite else {
      throw ConfigurationError("factor", factor, must: "be finite and at least 1")
    }
    if let cap {
      guard cap >= .zero else { throw ConfigurationError("cap", cap, must: "not be negative") }
      self.cap = Nanoseconds(wait: cap)
    }
    self.base = Nanoseconds(wait: base)
    self.factor = factor
    self.jitter = jitter
  }

  /// This backoff with no delay above `cap`, jitter included.
  ///
  /// - Precondition: `cap` is not negative.
  public func capped(at cap: Duration) -> Backoff {
    ConfigurationError.require(cap >= .zero, "cap", cap, must: "not be negative")
    var copy = self
    copy.cap = Nanoseconds(wait: cap)
    return copy
  }

  /// This backoff with its delays scattered.
  ///
  /// - Parameters:
  ///   - jitter: How they are scattered.
  ///   - seed: Makes the draws the same in every run; nil for others each time.
  /// - Returns: The changed copy.
  public func jittered(_ jitter: Jitter, seed: UInt64? = nil) -> Backoff {
    var copy = self
    copy.jitter = jitter
    copy.seed = seed
    return copy
  }

  /// One run through the delays, from the first retry on; it has no end.
  public func delays() -> BackoffDelays {
    BackoffDelays(self)
  }
}
