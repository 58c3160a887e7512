extension TokenBucket {
  /// As `init(rate:burst:initial:refill:overdraft:queue:clock:)`, but throws ``ConfigurationError``
  /// for invalid values, such as ones known only at run time.
  public convenience init(
    validating rate: Rate, burst: Int, initial: Int? = nil, refill: Refill = .continuous,
    overdraft: Overdraft = .none, queue: QueuePolicy = .unlimited,
    clock: any Clock<Duration> = .dispatch
  ) throws(ConfigurationError) {
    _ = try Limit.tokenBucket(validating: rate, burst: burst, initial: initial)
    self.init(
      rate: rate, burst: burst, initial: initial, refill: refill, overdraft: overdraft,
      queue: queue, clock: clock)
  }
}
