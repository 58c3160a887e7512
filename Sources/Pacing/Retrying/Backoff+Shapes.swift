extension Backoff {
  /// No delays at all: every retry is made at once.
  public static var none: Backoff { .constant(.zero) }

  /// The same delay before every retry.
  ///
  /// - Precondition: `delay` is not negative.
  public static func constant(_ delay: Duration) -> Backoff {
    exponential(from: delay, factor: 1)
  }

  /// Delays that begin with `base` and grow by the same time from one to the next.
  ///
  /// - Parameters:
  ///   - base: The first delay.
  ///   - increment: What each delay is longer than the one before.
  /// - Returns: The backoff, without a cap and without jitter.
  /// - Precondition: `base` and `increment` are not negative.
  public static func linear(from base: Duration, by increment: Duration) -> Backoff {
    ConfigurationError.trapping { () throws(ConfigurationError) in
      try Backoff(validatingLinear: base, by: increment)
    }
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

  /// Delays each of which is the sum of the two before it, as the numbers 1, 1, 2, 3, 5, 8 are.
  ///
  /// - Parameter base: The first delay, and the second.
  /// - Returns: The backoff, without a cap and without jitter.
  /// - Precondition: `base` is not negative.
  public static func fibonacci(from base: Duration) -> Backoff {
    ConfigurationError.trapping { () throws(ConfigurationError) in
      try Backoff(validatingFibonacci: base)
    }
  }

  /// Delays drawn from `base` to three times the delay before: `constant` with decorrelated jitter.
  ///
  /// - Precondition: `base` is not negative.
  public static func decorrelated(from base: Duration) -> Backoff {
    constant(base).jittered(.decorrelated)
  }

  /// These delays, one after another, and then no further retry.
  ///
  /// Write `.list(delays).then(.constant(last))` for a list whose last delay goes on.
  ///
  /// - Parameter delays: The delays; one that is negative counts as none.
  /// - Returns: The backoff, which ends.
  public static func list(_ delays: [Duration]) -> Backoff {
    Backoff(.list(delays.map(Nanoseconds.init(wait:))))
  }

  /// Delays that are drawn from a range, each as likely as the other.
  ///
  /// - Parameter range: The shortest delay and the longest one; negative ones count as none.
  /// - Returns: The backoff, without a cap and without further jitter.
  public static func uniform(in range: ClosedRange<Duration>) -> Backoff {
    let lower = Nanoseconds(wait: range.lowerBound)
    return Backoff(.uniform(lower...max(lower, Nanoseconds(wait: range.upperBound))))
  }

  /// Delays that a closure computes.
  ///
  /// - Parameter delay: The delay before a retry, which it is told the number of, from 1; nil for
  ///   no further retry. A negative delay counts as none. It is called outside every lock, and may
  ///   be called more than once for a retry: it depends on the number alone.
  /// - Returns: The backoff, without a cap and without jitter.
  public static func custom(_ delay: @escaping @Sendable (_ retry: Int) -> Duration?) -> Backoff {
    Backoff(.custom(delay))
  }

  /// The sum of two backoffs, delay by delay; it ends with the first of them.
  public static func + (first: Backoff, second: Backoff) -> Backoff {
    Backoff(.sum(first, second))
  }

  /// This backoff until it ends, and then the other one from its beginning.
  ///
  /// - Parameter next: What follows a backoff that ends: a list, or one that was limited.
  /// - Returns: The longer backoff.
  public func then(_ next: Backoff) -> Backoff {
    Backoff(.sequence(self, next))
  }

  /// This backoff's first delays, and then no further retry.
  ///
  /// - Parameter count: How many delays; none where it is negative.
  /// - Returns: The backoff, which ends.
  public func limited(to count: Int) -> Backoff {
    Backoff(.limited(self, count: count))
  }

  /// This backoff with no delay below `floor`, jitter included, unless its cap is lower still.
  ///
  /// - Precondition: `floor` is not negative.
  public func floored(at floor: Duration) -> Backoff {
    ConfigurationError.trapping { () throws(ConfigurationError) in
      try floored(validatingAt: floor)
    }
  }

  /// This backoff with no delay above `cap`, jitter included.
  ///
  /// - Precondition: `cap` is not negative.
  public func capped(at cap: Duration) -> Backoff {
    ConfigurationError.trapping { () throws(ConfigurationError) in
      try capped(validatingAt: cap)
    }
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

  /// This backoff with draws that are the same in every run.
  ///
  /// That is so for its own draws, and for those of its parts that have no seed themselves. Say it
  /// after `jittered(_:seed:)`, which has a seed of its own or none.
  ///
  /// - Parameter seed: Any number; another one gives other draws.
  /// - Returns: The changed copy.
  public func seeded(_ seed: UInt64) -> Backoff {
    var copy = self
    copy.seed = seed
    return copy
  }
}
