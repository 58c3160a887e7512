extension ManualClock {
  /// Runs asynchronous code on this clock's time: inside `advance`, on the thread that calls it.
  ///
  /// Code that sleeps on the clock, waits for tokens or consumes a tool's stream proceeds at the
  /// exact instant the clock shows, and has reached its next wait when `advance` returns. A test of
  /// it needs no waiting.
  ///
  /// ```swift
  /// let poller = clock.run { await service.poll() }    // has come to its first wait
  /// clock.advance(by: .seconds(5))                     // has polled once more
  /// poller.cancel()
  /// ```
  ///
  /// ## Concurrency
  /// This covers the code of functions and actors, child tasks, upstream reads of sequence
  /// operators, the polls of a `Poller`, and the operations of `withTimeout` and `retry`. An
  /// unstructured `Task { }` and code on the main actor
  /// run elsewhere; code that returns from there continues with the next `advance`. What the code
  /// awaits must be triggered by the clock, not by a real wait.
  ///
  /// - Parameter operation: The operation of the task.
  /// - Returns: The task, which has started and reached its first wait.
  @discardableResult
  public func run<Success: Sendable>(
    _ operation: @escaping @Sendable () async throws -> Success
  ) -> Task<Success, any Error> {
    let task = Task(executorPreference: time, operation: operation)
    runReady()
    return task
  }

  /// As `run(_:)`, for code that does not throw.
  @discardableResult
  public func run<Success: Sendable>(
    _ operation: @escaping @Sendable () async -> Success
  ) -> Task<Success, Never> {
    let task = Task(executorPreference: time, operation: operation)
    runReady()
    return task
  }
}
