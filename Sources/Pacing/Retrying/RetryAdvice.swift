/// What is to be done about a failure: retry it, retry it after a time that the server names, or
/// not.
///
/// An error says it of itself as `RetryAdvising`, a `RetryPolicy` says it of errors with `advice`,
/// and a call of `retry` says it of results with `judging`.
public struct RetryAdvice: Hashable, Sendable {
  enum Kind: Hashable {
    case retry
    case retryAfter(Nanoseconds)
    case permanent
  }

  let kind: Kind
  /// What the retry takes from a quota, nil for the usual cost.
  var cost: Int?

  /// Another attempt, after the backoff's delay.
  public static var retry: RetryAdvice { RetryAdvice(kind: .retry) }

  /// Another attempt, after a delay that the server named: the `Retry-After` of HTTP.
  ///
  /// It takes the place of the backoff's delay, as the policy's `HintPolicy` says.
  ///
  /// - Parameter delay: How long from now; zero or less is now.
  /// - Returns: The advice.
  public static func retry(after delay: Duration) -> RetryAdvice {
    RetryAdvice(kind: .retryAfter(Nanoseconds(wait: delay)))
  }

  /// No further attempt: it would fail in the same way.
  public static var permanent: RetryAdvice { RetryAdvice(kind: .permanent) }

  /// This advice for a retry that takes so much from a quota, in place of the quota's usual cost.
  ///
  /// - Parameter cost: How many of the quota's units; none where it is negative.
  /// - Returns: The changed copy.
  public func costing(_ cost: Int) -> RetryAdvice {
    var copy = self
    copy.cost = max(0, cost)
    return copy
  }

  /// The delay that the server named.
  var hint: Nanoseconds? {
    if case .retryAfter(let delay) = kind { delay } else { nil }
  }
}
