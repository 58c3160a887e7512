extension ManualClock {
  /// Runs asynchronous code on this clock's time: in `advance`, on the thread that calls it.
  ///
  /// Code that sleeps on the clock, waits for tokens or takes what a tool's stream delivers does so
  /// at exactly the instant that the clock shows, and has come to its next wait when `advance`
  /// returns. So a test of it needs to wait for nothing.
  ///
  /// ```swift
  /// let poller = clock.run { await service.poll() }    // has come to its first wait
  /// clock.advance(by: .seconds(5))                     // has polled once more
  /// poller.cancel()
  /// ```
  ///
  /// ## Concurrency
  /// It holds for the code of functions and actors, and for child tasks; for what `withTimeout` and
  /// `retry` run, though not for a timeout on an Apple system before 26. An operator of a sequence
  /// reads upstream in the same way, and a `Poller` polls so. A `Task { }` that the code
  /// makes runs elsewhere, as does what belongs to the main actor; where the code comes back from
  /// there, it goes on with the next `advance`. What is awaited must be brought about by the clock,
  /// not by a real wait.
  ///
  /// - Parameter operation: What the task does.
  /// - Returns: The task, which has begun and has come to its first wait.
  @discardableResult
  public func run<Success: Sendable>(
    _ operation: @escaping @Sendable () async throws -> Success
  ) -> Task<Success, any Error> {
    let task = Task(executorPreference: time, operation: operation)
    runReady()
    return task
  }

  /// Runs asynchronous code that does not throw on this clock's time: in `advance`, on the thread
  /// that calls it.
  ///
  /// - Parameter operation: What the task does.
  /// - Returns: The task, which has begun and has come to its first wait.
  @discardableResult
  public func run<Success: Sendable>(
    _ operation: @escaping @Sendable () async -> Success
  ) -> Task<Success, Never> {
    let task = Task(executorPreference: time, operation: operation)
    runReady()
    return task
  }
}
