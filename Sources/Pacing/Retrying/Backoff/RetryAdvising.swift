/// An error that specifies whether and when to retry.
///
/// ```swift
/// struct Unavailable: RetryAdvising {
///   let retryAfter: Duration
///   var retryAdvice: RetryAdvice? { .retry(after: retryAfter) }
/// }
/// ```
///
/// A ``PermanentError`` is never retried. Otherwise a policy's own `retryIf` and `advice` are asked
/// first.
public protocol RetryAdvising: Error {
  /// What to do about the failure; nil if the error has no advice.
  var retryAdvice: RetryAdvice? { get }
}
