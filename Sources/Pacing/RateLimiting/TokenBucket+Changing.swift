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
  /// - Precondition: `burst` is positive.
  public func reconfigure(
    rate: Rate, burst: Int? = nil, inheriting inheritance: Inheritance = .keep
  ) {
    dispenser.update {
      $0.reconfigure(rate: rate, burst: burst, inheriting: inheritance, at: $1)
    }
  }

  /// Changes the burst, as `reconfigure(rate:burst:inheriting:)` does.
  ///
  /// - Parameters:
  ///   - burst: The new burst.
  ///   - inheritance: What becomes of the tokens that the bucket holds.
  /// - Precondition: `burst` is positive.
  public func reconfigure(burst: Int, inheriting inheritance: Inheritance = .keep) {
    dispenser.update {
      $0.reconfigure(rate: nil, burst: burst, inheriting: inheritance, at: $1)
    }
  }

  /// Adds tokens, as many as there is room for: a reward, or work that was not done after all.
  ///
  /// - Parameter count: How many.
  /// - Precondition: `count` is not negative.
  public func add(_ count: Int) {
    dispenser.update { $0.add(count, at: $1) }
  }

  /// Takes tokens whether they are there or not: a penalty, or work that was done without asking.
  ///
  /// The balance may become negative; everyone waits until it is paid for.
  ///
  /// - Parameter count: How many.
  /// - Precondition: `count` is not negative.
  public func penalise(_ count: Int) {
    dispenser.update { $0.penalise(count, at: $1) }
  }

  /// Takes all tokens that are there.
  ///
  /// - Returns: How many that were.
  @discardableResult
  public func drain() -> Int {
    dispenser.update { $0.drain(at: $1) }
  }

  /// Grants nothing for a time: what a server asks for with `Retry-After`.
  ///
  /// - Parameter duration: How long; none or a negative one is no pause.
  public func pause(for duration: Duration) {
    let duration = Nanoseconds(wait: duration)
    dispenser.update { $0.pause(until: $1 + duration, at: $1) }
  }

  /// Grants nothing before an instant.
  ///
  /// Meanwhile the bucket refills; `drain()` it, too, where no burst should follow. A pause that
  /// lasts longer already stays as it is. Reservations keep their times.
  ///
  /// - Parameter instant: The first instant at which tokens are granted again.
  public func pause(until instant: PacingInstant) {
    dispenser.update { $0.pause(until: instant, at: $1) }
  }

  /// Ends a pause before its time.
  public func resume() {
    dispenser.update { $0.resume(at: $1) }
  }

  /// Fills the bucket and ends a pause; reservations and those who wait stay.
  public func reset() {
    dispenser.update { $0.reset(at: $1) }
  }

  /// Ends the bucket: it grants nothing any more.
  ///
  /// Those who wait, and those who come later, are refused with `AcquireError.closed`, and streams
  /// end. Reservations stay good.
  public func close() {
    dispenser.close(.refused(.closed))
  }
}
