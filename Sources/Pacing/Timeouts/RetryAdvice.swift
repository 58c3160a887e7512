/// What to do about a failure, as a ``RetryAdvising`` error, `advised(by:)` of a ``RetryPolicy`` or
/// `judging` says.
public struct RetryAdvice: Hashable, Sendable {
  var isPermanent = false
  /// The delay that the server named.
  var hint: Nanoseconds?
  /// What the retry takes from a quota, nil for the usual cost.
  var cost: Int?

  /// Another attempt, after the backoff's delay.
  public static var retry: RetryAdvice { RetryAdvice() }

  /// Another attempt, after a delay that the server named, such as the `Retry-After` of HTTP.
  ///
  /// It counts from now, a negative one as zero, and raises the backoff's delay, as
  /// ``RetryPolicy/obeyingHints(atMost:)`` specifies.
  public static func retry(after delay: Duration) -> RetryAdvice {
    RetryAdvice(hint: Nanoseconds(wait: delay))
  }

  /// No further attempt: it would fail in the same way.
  public static var permanent: RetryAdvice { RetryAdvice(isPermanent: true) }

  /// This advice with a cost, which the retry takes from a quota in place of the usual one; a
  /// negative one counts as zero.
  public func costing(_ cost: Int) -> RetryAdvice { changing(self) { $0.cost = max(0, cost) } }
}

/// An error that specifies whether and when to retry.
///
/// A ``PermanentError`` is never retried. Otherwise a policy's own `retryIf` and `advice` are asked
/// first.
public protocol RetryAdvising: Error {
  /// What to do about the failure; nil if the error has no advice.
  var retryAdvice: RetryAdvice? { get }
}
