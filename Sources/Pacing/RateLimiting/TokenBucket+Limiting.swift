extension TokenBucket {
  /// Makes a function that waits for tokens before each call of another one.
  ///
  /// ```swift
  /// let fetch = bucket.limiting { (url: URL) in try await client.get(url) }
  /// let page = try await fetch(home)
  /// ```
  ///
  /// - Parameters:
  ///   - cost: How many tokens a call costs.
  ///   - timeout: How long a call waits for them at most, nil for as long as it takes.
  ///   - body: What is called.
  /// - Returns: A function that throws what `acquire(_:within:)` throws, and what `body` throws. It
  ///   keeps the bucket.
  /// - Precondition: `cost` is not negative.
  public func limiting<Argument, Result>(
    cost: Int = 1, within timeout: Duration? = nil,
    _ body: @escaping @Sendable (Argument) async throws -> Result
  ) -> @Sendable (Argument) async throws -> Result {
    { argument in
      try await self.acquire(cost, within: timeout)
      return try await body(argument)
    }
  }

  /// Makes a function that waits for tokens before each call of another one, which takes nothing.
  ///
  /// - Parameters:
  ///   - cost: How many tokens a call costs.
  ///   - timeout: How long a call waits for them at most, nil for as long as it takes.
  ///   - body: What is called.
  /// - Returns: A function that throws what `acquire(_:within:)` throws, and what `body` throws. It
  ///   keeps the bucket.
  /// - Precondition: `cost` is not negative.
  public func limiting<Result>(
    cost: Int = 1, within timeout: Duration? = nil,
    _ body: @escaping @Sendable () async throws -> Result
  ) -> @Sendable () async throws -> Result {
    {
      try await self.acquire(cost, within: timeout)
      return try await body()
    }
  }
}
