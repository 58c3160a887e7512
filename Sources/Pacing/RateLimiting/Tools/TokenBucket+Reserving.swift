extension TokenBucket {
  /// Reserves tokens for later use, for a caller that arranges the wait itself.
  ///
  /// The earliest time that fits is pinned: later calls do not move it, nor does a change of the
  /// rate. A bucket of two, refilled with one token in four steps, and a reservation of two at each
  /// letter:
  ///
  ///     reserved   abc----------------
  ///     usable     a-------b-------c--
  ///
  /// ```swift
  /// let reservation = try bucket.reserve(estimate)
  /// try await reservation.ready()
  /// reservation.settle(actual: try await model.complete(prompt).tokens)
  /// ```
  ///
  /// - Parameters:
  ///   - cost: The number of tokens.
  ///   - timeout: The longest wait, nil for no bound.
  /// - Returns: The reservation. Dropping it does not give the tokens back.
  /// - Throws: ``AcquireError`` if the tokens cannot be granted, or not in time; then nothing is
  ///   spent.
  /// - Precondition: `cost` is not negative.
  /// - Complexity: O(1); O(n) in the number of pending reservations and waiters once a reservation
  ///   was cancelled or settled, or while callers wait.
  public func reserve(
    _ cost: Int = 1, within timeout: Duration? = nil
  ) throws(AcquireError) -> Reservation {
    let timeout = timeout.map(Nanoseconds.init(wait:))
    let reserved = try queue.update { $0.reserve(cost, within: timeout, at: $1) }.get()
    return Reservation(queue: queue, reserved: reserved, cost: cost)
  }
}
