/// How long to wait before each retry: constant, linear, exponential and more, with a cap and
/// jitter.
///
/// ```swift
/// Backoff.exponential(from: .milliseconds(100)).capped(at: .seconds(20)).jittered(.full)
/// ```
///
/// Each delay is computed by the backoff's shape, clamped to its floor and cap, scattered by the
/// jitter, and clamped again; if floor and cap cross, the cap wins. Everything saturates: the
/// millionth delay is the cap, or the longest duration, and never negative.
///
///     exponential(from: 100 ms).capped(at: 1 s)    100  200  400  800  1000  1000 …
///     linear(from: 100 ms, by: 50 ms)              100  150  200  250   300   350 …
///     fibonacci(from: 100 ms)                      100  100  200  300   500   800 …
///     list([1 s, 5 s]).then(.constant(30 s))         1    5   30   30    30    30 …
///
/// A shape has no floor, no cap and no jitter of its own. They belong to the backoff that they are
/// applied to, in any order: `a.capped(at: x) + b` caps the delays of `a`, and
/// `(a + b).capped(at: x)` the sums.
///
/// A backoff is a value and holds no position; `delays()` is one run through it. It is `Equatable`
/// and `Codable`, except that a `custom(_:)` one equals only its own copies and cannot be encoded.
public struct Backoff: Sendable, Equatable {
  /// What the delays are before they are limited and scattered.
  indirect enum Shape: Equatable {
    case exponential(base: Nanoseconds, factor: Double)
    case linear(base: Nanoseconds, increment: Nanoseconds)
    case fibonacci(base: Nanoseconds)
    case list([Nanoseconds])
    case uniform(ClosedRange<Nanoseconds>)
    case custom(Custom)
    case sum(Backoff, Backoff)
    case sequence(Backoff, Backoff)
    case limited(Backoff, count: Int)

    /// The backoffs that this one is made of.
    var parts: [Backoff] {
      switch self {
      case .sum(let first, let second), .sequence(let first, let second): [first, second]
      case .limited(let whole, _): [whole]
      default: []
      }
    }
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
  var floor: Nanoseconds = 0
  var cap = Nanoseconds.never
  var jitter = Jitter.none
  var seed: UInt64?

  init(_ shape: Shape) {
    self.shape = shape
  }

  /// One run through the delays, from the first retry on; it ends for a list, a limited backoff,
  /// and a closure that returns nil.
  public func delays() -> BackoffDelays {
    BackoffDelays(self)
  }

  /// The nearest delay between the floor and the cap.
  func limited(_ delay: Nanoseconds) -> Nanoseconds {
    min(max(delay, floor), cap)
  }
}
