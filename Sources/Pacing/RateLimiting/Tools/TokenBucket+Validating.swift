extension TokenBucket {
  /// Makes a bucket from settings that are not part of the program.
  ///
  /// - Parameters:
  ///   - rate: How fast the bucket refills.
  ///   - burst: How many tokens it holds at most.
  ///   - initial: How many tokens it holds at first, nil for as many as it can.
  ///   - refill: Whether tokens come one by one or so many at a time.
  ///   - overdraft: Whether it grants what it does not hold yet.
  ///   - queue: How many may wait, and who is served first.
  ///   - clock: The clock that the bucket follows.
  /// - Throws: `ConfigurationError` where `burst` is not positive, or `initial` is not in
  ///   `0...burst`.
  public convenience init(
    validating rate: Rate, burst: Int, initial: Int? = nil, refill: Refill = .continuous,
    overdraft: Overdraft = .none, queue: QueuePolicy = .unlimited,
    clock: any PacingClock = .dispatch
  ) throws(ConfigurationError) {
    _ = try Limit.tokenBucket(validating: rate, burst: burst, initial: initial)
    self.init(
      rate: rate, burst: burst, initial: initial, refill: refill, overdraft: overdraft,
      queue: queue, clock: clock)
  }
}
