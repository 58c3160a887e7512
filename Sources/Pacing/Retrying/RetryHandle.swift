/// A retry that was begun with closures: the handle to end it early.
///
/// Dropping the handle does not end the retry.
public struct RetryHandle: Sendable {
  let run: any CancellableRun

  /// Ends the retry, if it has not ended yet.
  ///
  /// No further attempt begins, and the completion is never called. An attempt that runs is not
  /// interrupted; what it says is ignored.
  ///
  /// - Returns: Whether this ended it; false where its end was decided, or it was ended before.
  @discardableResult
  public func cancel() -> Bool { run.cancel() }
}

/// What a handle ends.
protocol CancellableRun: Sendable {
  func cancel() -> Bool
}
