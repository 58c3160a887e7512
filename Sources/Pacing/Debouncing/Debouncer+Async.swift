extension Debouncer {
  /// The values as a stream, from now on: each call is a subscription of its own.
  ///
  /// A consumer that is slow finds the newest value; the stream keeps one and never more. It ends
  /// after `finish(_:)`, and when the debouncer is dropped, which the stream does not prevent.
  /// Cancelling the task, leaving the loop or dropping the stream ends the subscription at once.
  public func ticks() -> AsyncStream<Value> { pacer.ticks() }
}
