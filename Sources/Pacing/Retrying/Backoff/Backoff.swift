/// How long to wait before each retry: constant, linear, exponential, a list or computed, with a
/// cap and jitter.
///
/// ```swift
/// Backoff.exponential(from: .milliseconds(100)).capped(at: .seconds(20)).jittered(.full)
/// ```
///
/// Each delay is computed by the backoff's shape, cut to its cap, scattered by the jitter, and cut
/// again. Everything saturates: the millionth delay is the cap, or the longest duration, and never
/// negative.
///
///     exponential(from: 100 ms).capped(at: 1 s)    100  200  400  800  1000  1000 …
///     linear(from: 100 ms, by: 50 ms)              100  150  200  250   300   350 …
///     list([1 s, 5 s, 30 s])                         1    5   30  end
///
/// A backoff is a value and holds no position; `delays()` is one run through it. It is `Equatable`
/// and `Codable`, except that a `custom(_:)` one equals only its own copies and cannot be encoded.
public struct Backoff: Sendable, Equatable {
  /// What the delays are before they are cut and scattered.
  enum Shape: Equatable {
    case exponential(base: Nanoseconds, factor: Double)
    case linear(base: Nanoseconds, increment: Nanoseconds)
    case list([Nanoseconds])
    case custom(Custom)
  }

  /// A user's closure, equal to itself alone.
  final class Custom: Sendable, Equatable {
    let delay: @Sendable (_ retry: Int) -> Duration?

    init(_ delay: @escaping @Sendable (_ retry: Int) -> Duration?) {
      self.delay = delay
    }

    static func == (one: Custom, other: Custom) -> Bool { one === other }
  }

  let shape: Shape
  private(set) var cap = Nanoseconds.never
  private(set) var jitter = Jitter.none
  private(set) var seed: UInt64?

  private init(_ shape: Shape) {
    self.shape = shape
  }

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
    ConfigurationError.trapping(try checked(linear: base, by: increment))
  }

  /// Delays that begin with `base` and grow by `factor` from one to the next.
  ///
  /// - Precondition: `base` is not negative; `factor` is finite and at least 1.
  public static func exponential(from base: Duration, factor: Double = 2) -> Backoff {
    ConfigurationError.trapping(try checked(exponential: base, factor: factor))
  }

  /// These delays, one after another, and then no further retry; a negative delay counts as zero.
  public static func list(_ delays: [Duration]) -> Backoff {
    Backoff(.list(delays.map(Nanoseconds.init(wait:))))
  }

  /// Delays that a closure computes.
  ///
  /// ```swift
  /// .custom { retry in retry > 5 ? nil : .seconds(retry * retry) }
  /// ```
  ///
  /// It receives the number of the retry, which begins with 1, and returns the delay before it; nil
  /// for no further retry, and a negative delay counts as zero. It is called outside every lock,
  /// possibly more than once for a retry, so it must depend on the number alone.
  public static func custom(_ delay: @escaping @Sendable (_ retry: Int) -> Duration?) -> Backoff {
    Backoff(.custom(Custom(delay)))
  }

  /// This backoff with no delay above `cap`, jitter included.
  ///
  /// - Precondition: `cap` is not negative.
  public func capped(at cap: Duration) -> Backoff {
    ConfigurationError.trapping(try checked(cap: cap))
  }

  /// This backoff with its delays scattered; a seed makes the draws the same in every run, nil
  /// stands for a random one.
  public func jittered(_ jitter: Jitter, seed: UInt64? = nil) -> Backoff {
    changing(self) {
      $0.jitter = jitter
      $0.seed = seed
    }
  }

  /// One run through the delays, from the first retry on; it ends for a list, and for a closure
  /// that returns nil.
  ///
  /// ```swift
  /// for delay in backoff.delays().prefix(5) { print(delay) }
  /// ```
  ///
  /// - Complexity: `next()` is O(1) in time and memory, and saturates instead of overflowing.
  public func delays() -> some Sequence<Duration> & IteratorProtocol<Duration> & Sendable {
    BackoffDelays(self)
  }

  package static func checked(
    exponential base: Duration, factor: Double
  ) throws(ConfigurationError) -> Backoff {
    guard factor >= 1, factor.isFinite else {
      throw ConfigurationError("factor", factor, must: "be finite and at least 1")
    }
    return Backoff(.exponential(base: try checked("base", base), factor: factor))
  }

  package static func checked(
    linear base: Duration, by increment: Duration
  ) throws(ConfigurationError) -> Backoff {
    Backoff(
      .linear(base: try checked("base", base), increment: try checked("increment", increment)))
  }

  package func checked(cap: Duration) throws(ConfigurationError) -> Backoff {
    let cap = try Self.checked("cap", cap)
    return changing(self) { $0.cap = cap }
  }

  private static func checked(
    _ parameter: String, _ delay: Duration
  ) throws(ConfigurationError) -> Nanoseconds {
    guard delay >= .zero else {
      throw ConfigurationError(parameter, delay, must: "not be negative")
    }
    return Nanoseconds(wait: delay)
  }
}

extension Backoff: CustomStringConvertible {
  /// A few words, for a log: "exponential from 100 ms, at most 20 s, full jitter".
  public var description: String {
    let text =
      switch shape {
      case .exponential(base: 0, _): "no delay"
      case .exponential(let base, factor: 1): "constant \(base.shortText)"
      case .exponential(let base, factor: 2): "exponential from \(base.shortText)"
      case .exponential(let base, let factor): "exponential from \(base.shortText) by \(factor)"
      case .linear(let base, let increment):
        "linear from \(base.shortText) by \(increment.shortText)"
      case .list(let delays): "list of \(delays.map { $0.shortText }.joined(separator: ", "))"
      case .custom: "custom"
      }
    let most = cap < .never ? ", at most \(cap.shortText)" : ""
    return text + most + (jitter == .none ? "" : ", \(jitter)")
  }
}
