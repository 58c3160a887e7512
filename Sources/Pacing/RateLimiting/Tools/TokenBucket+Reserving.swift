extension TokenBucket {
  /// Takes tokens that will be there later: for a caller who arranges the wait himself.
  ///
  /// The earliest time that fits is pinned: nothing that comes later moves it, no change of the
  /// rate either. A bucket of two, refilled with one token in four steps, and a reservation of two
  /// at each letter:
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
  ///   - cost: How many.
  ///   - timeout: How long the wait may be at most, nil for as long as it takes.
  /// - Returns: The reservation. Dropping it does not give it back.
  /// - Throws: `AcquireError` where the tokens cannot be had, or not in time; nothing is spent
  ///   then.
  /// - Precondition: `cost` is not negative.
  /// - Complexity: O(1); once a reservation was cancelled or settled, or where callers wait, O(n)
  ///   in the number of reservations whose time has not come, and of those who wait.
  public func reserve(
    _ cost: Int = 1, within timeout: Duration? = nil
  ) throws(AcquireError) -> Reservation {
    let timeout = timeout.map(Nanoseconds.init(wait:))
    let reserved = try queue.update { $0.reserve(cost, within: timeout, at: $1) }.get()
    return Reservation(queue: queue, reserved: reserved, cost: cost)
  }
}
