extension PollSchedule {
  /// Polls as a stream of results: to ask for the next one waits until it is due, and makes it.
  ///
  /// ```swift
  /// for await poll in schedule.results({ try await fetchStatus() }) { show(poll.result) }
  /// ```
  ///
  /// ## Timing
  /// The grid begins with the first `next()`. A consumer that is slow polls less: nothing is polled
  /// ahead of it, and the ticks that it missed are counted. The stream ends after a failure that is
  /// permanent, where a hint is refused, and where the backoff ends.
  ///
  /// ## Concurrency
  /// One poll runs at a time, in the consumer's task. The stream ends with the task: a wait at
  /// once, a poll when its operation has ended; what it brought then is dropped.
  ///
  /// - Parameters:
  ///   - clock: The clock of the waits.
  ///   - judging: What is to be done about a result, nil where it is a success; `.retry(after:)` is
  ///     a success after which the server is left alone for so long, and the other two are
  ///     failures.
  ///   - operation: Polls.
  /// - Returns: A run of its own.
  public func results<Success: Sendable>(
    clock: any PacingClock = .dispatch,
    judging: @escaping @Sendable (Success) -> RetryAdvice? = { _ in nil },
    _ operation: @escaping @Sendable () async throws -> Success
  ) -> AsyncStream<PollResult<Success>> {
    let run = PollRun(self, service: clock.service, judging: judging, operation: operation)
    return AsyncStream { await run.next() }
  }
}
