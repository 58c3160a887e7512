extension Backoff {
  /// No delays: every retry is made immediately.
  public static var none: Backoff { .constant(.zero) }

  /// The same delay before every retry.
  ///
  /// - Precondition: `delay` is not negative.
  public static func constant(_ delay: Duration) -> Backoff {
    exponential(from: delay, factor: 1)
  }

  /// Delays that begin with `base` and grow by `increment` from one to the next.
  ///
  /// - Precondition: `base` and `increment` are not negative.
  public static func linear(from base: Duration, by increment: Duration) -> Backoff {
    ConfigurationError.trapping(try Backoff(validatingLinear: base, by: increment))
  }

  /// Delays that begin with `base` and grow by `factor` from one to the next.
  ///
  /// - Precondition: `base` is not negative; `factor` is finite and at least 1.
  public static func exponential(from base: Duration, factor: Double = 2) -> Backoff {
    ConfigurationError.trapping(try Backoff(validating: base, factor: factor))
  }

  /// Delays that grow as the Fibonacci numbers do: `base` times 1, 1, 2, 3, 5, 8 and so on.
  ///
  /// - Precondition: `base` is not negative.
  public static func fibonacci(from base: Duration) -> Backoff {
    ConfigurationError.trapping(try Backoff(validatingFibonacci: base))
  }

  /// Delays drawn from `base` to three times the delay before: `constant` with decorrelated jitter.
  ///
  /// - Precondition: `base` is not negative.
  public static func decorrelated(from base: Duration) -> Backoff {
    constant(base).jittered(.decorrelated)
  }

  /// These delays, one after another, and then no further retry; a negative delay counts as zero.
  ///
  /// Write `.list(delays).then(.constant(last))` for a list that repeats its last delay.
  public static func list(_ delays: [Duration]) -> Backoff {
    Backoff(.list(delays.map(Nanoseconds.init(wait:))))
  }

  /// Delays drawn uniformly from a range, whose negative bounds count as zero.
  public static func uniform(in range: ClosedRange<Duration>) -> Backoff {
    let lower = Nanoseconds(wait: range.lowerBound)
    return Backoff(.uniform(lower...max(lower, Nanoseconds(wait: range.upperBound))))
  }

  /// Delays that a closure computes.
  ///
  /// It receives the number of the retry, which begins with 1, and returns the delay before it; nil
  /// for no further retry, and a negative delay counts as zero. It is called outside every lock,
  /// possibly more than once for a retry, so it must depend on the number alone.
  public static func custom(_ delay: @escaping @Sendable (_ retry: Int) -> Duration?) -> Backoff {
    Backoff(.custom(Custom(delay)))
  }

  /// The sum of two backoffs, delay by delay; it ends with the first of them.
  public static func + (first: Backoff, second: Backoff) -> Backoff {
    Backoff(.sum(first, second))
  }

  /// This backoff until it ends, as a list or a limited one does, and then the other one from its
  /// beginning.
  public func then(_ next: Backoff) -> Backoff {
    Backoff(.sequence(self, next))
  }

  /// This backoff's first `count` delays, and then no further retry; a negative count is zero.
  public func limited(to count: Int) -> Backoff {
    Backoff(.limited(self, count: count))
  }

  /// This backoff with no delay below `floor`, jitter included, unless its cap is lower still.
  ///
  /// - Precondition: `floor` is not negative.
  public func floored(at floor: Duration) -> Backoff {
    ConfigurationError.trapping(try floored(validatingAt: floor))
  }

  /// This backoff with no delay above `cap`, jitter included.
  ///
  /// - Precondition: `cap` is not negative.
  public func capped(at cap: Duration) -> Backoff {
    ConfigurationError.trapping(try capped(validatingAt: cap))
  }

  /// This backoff with its delays scattered.
  ///
  /// - Parameters:
  ///   - jitter: How they are scattered.
  ///   - seed: The seed of the draws, the same draws in every run; nil for a random one.
  /// - Returns: The changed copy.
  public func jittered(_ jitter: Jitter, seed: UInt64? = nil) -> Backoff {
    changing(self) {
      $0.jitter = jitter
      $0.seed = seed
    }
  }

  /// This backoff with draws that are the same in every run, for itself and for its parts that have
  /// no seed.
  ///
  /// Call it after `jittered(_:seed:)`, which replaces the seed.
  public func seeded(_ seed: UInt64) -> Backoff {
    changing(self) { $0.seed = seed }
  }
}
