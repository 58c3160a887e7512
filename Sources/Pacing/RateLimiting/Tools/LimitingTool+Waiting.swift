extension LimitingTool {
  /// Asks for a cost, and has a closure called when it is granted or refused.
  ///
  /// - Parameters:
  ///   - cost: How much.
  ///   - timeout: How long to wait at most, nil for as long as it takes.
  ///   - delivery: Where the completion runs; never on the caller's stack.
  ///   - completion: Called once, unless the request is withdrawn first.
  /// - Returns: A handle to withdraw the request; dropping it does not.
  /// - Precondition: `cost` is not negative.
  @discardableResult
  public func acquire(
    _ cost: Int = 1, within timeout: Duration? = nil, on delivery: Delivery = .shared,
    completion: @escaping @Sendable (Result<Void, AcquireError>) -> Void
  ) -> Acquisition {
    core.queue.acquire(cost, within: timeout, for: self, Callback(on: delivery, completion))
  }

  /// Asks for a cost, and has a closure called on the main actor when it is granted or refused.
  ///
  /// - Parameters:
  ///   - cost: How much.
  ///   - timeout: How long to wait at most, nil for as long as it takes.
  ///   - delivery: `.main`.
  ///   - completion: Called once, unless the request is withdrawn first.
  /// - Returns: A handle to withdraw the request; dropping it does not.
  /// - Precondition: `cost` is not negative.
  @discardableResult
  public func acquire(
    _ cost: Int = 1, within timeout: Duration? = nil, on delivery: MainDelivery,
    completion: @escaping @MainActor (Result<Void, AcquireError>) -> Void
  ) -> Acquisition {
    core.queue.acquire(cost, within: timeout, for: self, Callback(on: delivery, completion))
  }

  /// What the limit grants as a stream: each call of `next()` waits for one, in turn with all
  /// others.
  ///
  /// Nothing is taken ahead: a consumer who does not ask spends nothing. The stream ends when its
  /// task is cancelled, which spends nothing, when the limit is closed, and when it is dropped,
  /// which the stream does not prevent. The limit of the queue does not concern it.
  ///
  /// - Returns: A stream of its own.
  public func ticks() -> AsyncStream<Grant> { core.queue.ticks() }

  /// Makes a function that waits for its turn before each call of another one.
  ///
  /// ```swift
  /// let fetch = bucket.limiting { (url: URL) in try await client.get(url) }
  /// let page = try await fetch(home)
  /// ```
  ///
  /// - Parameters:
  ///   - cost: What a call costs.
  ///   - timeout: How long a call waits at most, nil for as long as it takes.
  ///   - operation: What is called.
  /// - Returns: A function that throws what `acquire(_:within:)` throws, and what `operation`
  ///   throws. It keeps the limit.
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

  /// Makes a function that waits for its turn before each call of another one, which takes nothing.
  ///
  /// - Parameters:
  ///   - cost: What a call costs.
  ///   - timeout: How long a call waits at most, nil for as long as it takes.
  ///   - operation: What is called.
  /// - Returns: A function that throws what `acquire(_:within:)` throws, and what `operation`
  ///   throws. It keeps the limit.
  /// - Precondition: `cost` is not negative.
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
