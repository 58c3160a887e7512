extension LimitingTool {
  /// Requests a cost, and calls a closure when it is granted or refused.
  ///
  /// - Parameters:
  ///   - cost: The cost to spend.
  ///   - timeout: The longest wait, nil for no bound.
  ///   - place: The place where the completion runs; never the caller's stack.
  ///   - completion: A closure that is called once, unless the request is withdrawn first.
  /// - Returns: A handle to withdraw the request; dropping it does not.
  /// - Precondition: `cost` is not negative.
  @discardableResult
  public func acquire(
    _ cost: Int = 1, within timeout: Duration? = nil, on place: Place = .shared,
    completion: @escaping @Sendable (Result<Void, AcquireError>) -> Void
  ) -> Acquisition {
    core.queue.acquire(cost, within: timeout, for: self, Callback(on: place, completion))
  }

  /// As `acquire(_:within:on:completion:)`, with a completion on the main actor.
  @discardableResult
  public func acquire(
    _ cost: Int = 1, within timeout: Duration? = nil, on place: Place.Main,
    completion: @escaping @MainActor (Result<Void, AcquireError>) -> Void
  ) -> Acquisition {
    core.queue.acquire(cost, within: timeout, for: self, Callback(on: place, completion))
  }

  /// The limit's grants as a stream: each call of `next()` waits for a token, in turn with all
  /// other callers.
  ///
  /// No token is taken ahead of demand. The stream ends if its task is cancelled, which spends
  /// nothing, and if the limit is closed or dropped; the stream does not keep the limit alive. The
  /// queue's bound does not apply to it.
  ///
  /// - Returns: A separate stream for each call.
  public func ticks() -> AsyncStream<Grant> { core.queue.ticks() }

  /// Makes a function that waits for its turn before each call of an operation.
  ///
  /// ```swift
  /// let fetch = bucket.limiting { (url: URL) in try await client.get(url) }
  /// let page = try await fetch(home)
  /// ```
  ///
  /// - Parameters:
  ///   - cost: The cost of a call.
  ///   - timeout: The longest wait of a call, nil for no bound.
  ///   - operation: The operation to call.
  /// - Returns: A function that throws the errors of `acquire(_:within:)` and of `operation`. It
  ///   keeps the limit alive.
  /// - Precondition: `cost` is not negative.
  public func limiting<Argument, Result>(
    cost: Int = 1, within timeout: Duration? = nil,
    _ operation: @escaping @Sendable (Argument) async throws -> Result
  ) -> @Sendable (Argument) async throws -> Result {
    { argument in
      try await self.acquire(cost, within: timeout)
      return try await operation(argument)
    }
  }

  /// As `limiting(cost:within:_:)`, for an operation without arguments.
  public func limiting<Result>(
    cost: Int = 1, within timeout: Duration? = nil,
    _ operation: @escaping @Sendable () async throws -> Result
  ) -> @Sendable () async throws -> Result {
    {
      try await self.acquire(cost, within: timeout)
      return try await operation()
    }
  }
}
