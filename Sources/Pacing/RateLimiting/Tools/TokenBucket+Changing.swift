extension TokenBucket {
  /// The refill rate; `reconfigure(rate:burst:inheriting:)` changes it.
  public var rate: Rate { queue.update { bucket, _ in bucket.level.scale.rate } }

  /// The most tokens that the bucket holds; `reconfigure(rate:burst:inheriting:)` changes it.
  public var burst: Int { queue.update { bucket, _ in bucket.level.scale.burst } }

  /// Changes the rate, and optionally the burst, even while callers wait.
  ///
  /// Reservations keep their times; new ones take the earliest time that fits. Waiters keep their
  /// order and are served at the new rate; those that can no longer be served in time, or at all,
  /// are refused immediately.
  ///
  /// - Parameters:
  ///   - rate: The new rate.
  ///   - burst: The new burst, nil to keep the current one.
  ///   - inheritance: The tokens that the bucket keeps.
  /// - Precondition: `burst` is positive; `Limit.tokenBucket(validating:burst:)` checks one that is
  ///   known only at run time.
  public func reconfigure(
    rate: Rate, burst: Int? = nil, inheriting inheritance: Inheritance = .keep
  ) {
    queue.update {
      $0.reconfigure(rate: rate, burst: burst, inheriting: inheritance, at: $1)
    }
  }

  /// As `reconfigure(rate:burst:inheriting:)`, keeping the rate.
  public func reconfigure(burst: Int, inheriting inheritance: Inheritance = .keep) {
    queue.update {
      $0.reconfigure(rate: nil, burst: burst, inheriting: inheritance, at: $1)
    }
  }

  /// Adds tokens, up to a full bucket: a reward, or a refund for work that was not done.
  ///
  /// - Parameter count: The number of tokens.
  /// - Precondition: `count` is not negative.
  public func add(_ count: Int) {
    queue.update { $0.add(count, at: $1) }
  }

  /// Takes tokens even into debt: a penalty, or work that was done without asking.
  ///
  /// The balance may become negative; all callers wait until it is paid for.
  ///
  /// - Parameter count: The number of tokens.
  /// - Precondition: `count` is not negative.
  public func penalize(_ count: Int) {
    queue.update { $0.penalize(count, at: $1) }
  }

  /// Takes all tokens in the bucket.
  ///
  /// - Returns: The number of tokens taken.
  @discardableResult
  public func drain() -> Int {
    queue.update { $0.drain(at: $1) }
  }
}
