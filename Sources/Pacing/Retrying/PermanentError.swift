/// A wrapper around an error that no policy retries.
///
/// ```swift
/// guard response.status != 401 else { throw PermanentError(Unauthorized()) }
/// ```
///
/// `retry` throws the error inside if its type allows, so callers of an operation that is declared
/// plain `throws` never see the wrapper.
public struct PermanentError: RetryAdvising {
  /// The error inside.
  public let underlying: any Error

  /// Marks an error: a retry would fail in the same way.
  public init(_ underlying: any Error) {
    self.underlying = (underlying as? PermanentError)?.underlying ?? underlying
  }

  /// No retry.
  public var retryAdvice: RetryAdvice? { .permanent }
}
