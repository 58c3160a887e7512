extension TokenBucket {
  /// Changes the rate, and the burst too where one is given, while callers wait.
  ///
  /// Reservations keep their times, new ones take the earliest time that fits. Those who wait keep
  /// their order and are served by the new rate; who cannot be served in time any more, or not at
  /// all, is refused at once.
  ///
  /// - Parameters:
  ///   - rate: The new rate.
  ///   - burst: The new burst, nil for the old one.
  ///   - inheritance: What becomes of the tokens that the bucket holds.
  /// - Precondition: `burst` is positive; what `Limit.tokenBucket(validating:burst:)` takes is.
  public func reconfigure(
    rate: Rate, burst: Int? = nil, inheriting inheritance: Inheritance = .keep
  ) {
    queue.update {
      $0.reconfigure(rate: rate, burst: burst, inheriting: inheritance, at: $1)
    }
  }

  /// Changes the burst, as `reconfigure(rate:burst:inheriting:)` does.
  ///
  /// - Parameters:
  ///   - burst: The new burst.
  ///   - inheritance: What becomes of the tokens that the bucket holds.
  /// - Precondition: `burst` is positive; what `Limit.tokenBucket(validating:burst:)` takes is.
  public func reconfigure(burst: Int, inheriting inheritance: Inheritance = .keep) {
    queue.update {
      $0.reconfigure(rate: nil, burst: burst, inheriting: inheritance, at: $1)
    }
  }

  /// Adds tokens, as many as there is room for: a reward, or work that was not done after all.
  ///
  /// - Parameter count: How many.
  /// - Precondition: `count` is not negative.
  public func add(_ count: Int) {
    queue.update { $0.add(count, at: $1) }
  }

  /// Takes tokens whether they are there or not: a penalty, or work that was done without asking.
  ///
  /// The balance may become negative; everyone waits until it is paid for.
  ///
  /// - Parameter count: How many.
  /// - Precondition: `count` is not negative.
  public func penalize(_ count: Int) {
    queue.update { $0.penalize(count, at: $1) }
  }

  /// Takes all tokens that are there.
  ///
  /// - Returns: How many that were.
  @discardableResult
  public func drain() -> Int {
    queue.update { $0.drain(at: $1) }
  }
}
