extension RetryPolicy {
  /// The policy's attempts as a stream, spaced by its backoff: a retry as a loop.
  ///
  /// ```swift
  /// for await attempt in policy.attempts() {
  ///   do { return try await connect() } catch { attempt.failed(error) }
  /// }
  /// ```
  ///
  /// Asking for the next attempt reports that the last one failed, and `attempt.failed(_:)` why.
  /// `attempt.succeeded()` ends the stream; leaving the loop without a report counts as a
  /// success too, unless the task is cancelled.
  ///
  /// ## Timing
  /// The first attempt comes immediately. Each further `next()` waits for the backoff's delay,
  /// counted from the call. The stream ends when the policy gives up, without waiting for an
  /// attempt that it does not allow.
  ///
  /// ## Concurrency
  /// The stream ends with its task, and interrupts a wait. Between two calls it holds no timer.
  /// `onGiveUp` reports a cancellation only if it interrupts a wait.
  ///
  /// - Parameter clock: The clock of the waits.
  /// - Returns: A separate run; its time begins with the first attempt.
  public func attempts(clock: any Clock<Duration> = .dispatch) -> AsyncStream<Attempt> {
    let consumer = AttemptConsumer(run: AttemptRun(self, service: clock.service))
    return AsyncStream { await consumer.run.next() }
  }
}

/// The lifetime of a loop: its stream holds the only reference.
private final class AttemptConsumer: Sendable {
  let run: AttemptRun

  init(run: AttemptRun) {
    self.run = run
  }

  deinit {
    run.left(isCancelled: Task.isCancelled)
  }
}
