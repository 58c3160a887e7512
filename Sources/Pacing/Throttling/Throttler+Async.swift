extension Throttler {
  /// The values as a stream, from now on: each call is a subscription of its own.
  ///
  /// A consumer that is slow finds the newest value; the stream keeps one and never more. It ends
  /// after `finish(_:)`, and when the throttler is dropped, which the stream does not prevent.
  /// Cancelling the task or letting go of the stream ends the subscription at once; leaving the
  /// loop does where nothing else holds the stream.
  public func ticks() -> AsyncStream<Value> { pacer.ticks() }

  /// Flushes, and returns when the handler of all that was due has ended.
  ///
  /// - Returns: What `flush()` returns.
  @discardableResult
  public func flushAndWait() async -> Bool { await pacer.flushAndWait() }

  /// Cancels, and returns when a handler that was running has ended.
  ///
  /// - Returns: What `cancel()` returns: the newest value withdrawn.
  @discardableResult
  public func cancelAndWait() async -> Value? { await pacer.cancelAndWait() }
}
