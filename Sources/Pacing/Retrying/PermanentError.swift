/// An error that is not retried, whatever the policy says: a wrapper around another.
///
/// ```swift
/// guard response.status != 401 else { throw PermanentError(Unauthorized()) }
/// ```
///
/// `retry` throws the error inside where its type allows, so that a caller never sees the wrapper
/// of an operation that is declared plain `throws`.
public struct PermanentError: RetryAdvising {
  /// The error inside.
  public let underlying: any Error

  /// Says of an error that a retry would fail in the same way.
  public init(_ underlying: any Error) {
    self.underlying = (underlying as? PermanentError)?.underlying ?? underlying
  }

  /// No retry.
  public var retryAdvice: RetryAdvice? { .permanent }
}
