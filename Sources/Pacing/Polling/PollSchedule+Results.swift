extension PollSchedule {
  /// Polls as a stream of results: to ask for the next one waits until it is due, and makes it.
  ///
  /// ```swift
  /// for await poll in schedule.results({ try await fetchStatus() }) { show(poll.result) }
  /// ```
  ///
  /// ## Timing
  /// The grid begins with the first `next()`. A slow consumer polls less: nothing is polled ahead
  /// of it, and the ticks that it missed are counted. The stream ends after a permanent failure, a
  /// hint that is refused, the end of the backoff, and when the limit is closed.
  ///
  /// ## Concurrency
  /// One poll runs at a time, in the consumer's task. The stream ends with the task: a wait
  /// immediately, a poll when its operation has ended; its result is dropped.
  ///
  /// - Parameters:
  ///   - clock: The clock of the waits.
  ///   - judging: Gives advice on a result; nil is a success, `.retry(after:)` a success after
  ///     which the server wants no poll for that long, and the other two are failures.
  ///   - operation: Polls.
  /// - Returns: A separate run.
  public func results<Success: Sendable>(
    clock: any Clock<Duration> = .dispatch,
    judging: @escaping @Sendable (Success) -> RetryAdvice? = { _ in nil },
    _ operation: @escaping @Sendable () async throws -> Success
  ) -> AsyncStream<PollResult<Success>> {
    let run = PollRun(
      PollCore(self, service: clock.service),
      PollRequest(judging: judging, operation: operation))
    return AsyncStream { await run.next() }
  }
}
