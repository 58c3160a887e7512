/// The handle that ends a retry with closures early.
///
/// Dropping the handle does not end the retry. A handle that is kept holds none of the closures of
/// a retry that has ended.
public struct RetryHandle: Sendable {
  let end: @Sendable () -> Bool

  /// Ends the retry, if it has not ended yet.
  ///
  /// No further attempt begins, and the completion is never called. A running attempt is not
  /// interrupted; its result is ignored.
  ///
  /// - Returns: Whether this call ended it; false if its end was decided before.
  @discardableResult
  public func cancel() -> Bool { end() }
}
