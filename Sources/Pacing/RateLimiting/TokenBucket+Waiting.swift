extension TokenBucket {
  /// Spends tokens, waiting for them in turn.
  ///
  /// ## Timing
  /// A wait of exactly `timeout` is granted. One that would be longer, counting those who wait
  /// already, is refused at once instead of when the time is over.
  ///
  /// ## Concurrency
  /// Either the tokens are granted and the call returns, in a task cancelled by then too; or the
  /// cancellation comes first, and nothing is spent. A caller who leaves gives his place to the
  /// next.
  ///
  /// - Parameters:
  ///   - cost: How many.
  ///   - timeout: How long to wait at most, nil for as long as it takes.
  /// - Throws: `AcquireError` where the tokens cannot be had, or not in time; `CancellationError`
  ///   where the task is cancelled before they are granted.
  /// - Precondition: `cost` is not negative.
  public func acquire(_ cost: Int = 1, within timeout: Duration? = nil) async throws {
    try await dispenser.acquire(cost, within: timeout)
  }

  /// Asks for tokens, and has a closure called when they are granted or refused.
  ///
  /// - Parameters:
  ///   - cost: How many.
  ///   - timeout: How long to wait at most, nil for as long as it takes.
  ///   - delivery: Where the completion runs; never on the caller's stack.
  ///   - completion: Called once, unless the request is withdrawn first.
  /// - Returns: A handle to withdraw the request; dropping it does not.
  /// - Precondition: `cost` is not negative.
  public func acquire(
    _ cost: Int = 1, within timeout: Duration? = nil, on delivery: Delivery = .shared,
    _ completion: @escaping @Sendable (Result<Void, AcquireError>) -> Void
  ) -> Acquisition {
    dispenser.acquire(cost, within: timeout, for: self, Callback(on: delivery, completion))
  }

  /// Asks for tokens, and has a closure called on the main actor when they are granted or refused.
  ///
  /// - Parameters:
  ///   - cost: How many.
  ///   - timeout: How long to wait at most, nil for as long as it takes.
  ///   - delivery: `.main`.
  ///   - completion: Called once, unless the request is withdrawn first.
  /// - Returns: A handle to withdraw the request; dropping it does not.
  /// - Precondition: `cost` is not negative.
  public func acquire(
    _ cost: Int = 1, within timeout: Duration? = nil, on delivery: MainDelivery,
    _ completion: @escaping @MainActor (Result<Void, AcquireError>) -> Void
  ) -> Acquisition {
    dispenser.acquire(cost, within: timeout, for: self, Callback(on: delivery, completion))
  }

  /// The bucket's tokens as a stream: each call of `next()` waits for one, in turn with all others.
  ///
  /// Nothing is taken ahead: a consumer who does not ask spends nothing. The stream ends when its
  /// task is cancelled, which spends nothing, when the bucket is closed, and when it is dropped,
  /// which the stream does not prevent. The limit of the queue does not concern it.
  ///
  /// - Returns: A stream of its own.
  public func ticks() -> AsyncStream<Grant> {
    dispenser.ticks()
  }
}
