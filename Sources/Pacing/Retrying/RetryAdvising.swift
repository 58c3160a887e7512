/// An error that knows whether it is worth a retry, and when.
///
/// ```swift
/// struct Unavailable: RetryAdvising {
///   let retryAfter: Duration
///   var retryAdvice: RetryAdvice? { .retry(after: retryAfter) }
/// }
/// ```
///
/// A policy's own `retryIf` and `advice` are asked first.
public protocol RetryAdvising: Error {
  /// What is to be done about the failure; nil where the error has no opinion.
  var retryAdvice: RetryAdvice? { get }
}
