/// What changes the bucket from outside. Reservations keep their times; who waits is served by the new
/// level, and the shell refuses those who are not in time any more.
extension BucketState {
  /// Adds tokens, as far as there is room.
  package mutating func add(_ tokens: Int, at now: PacingInstant) {
    BucketLevel.requireCost(tokens)
    giveBack(level.scale.units(tokens), at: advance(to: now))
  }

  /// Takes tokens, whether they are there or not.
  package mutating func penalise(_ tokens: Int, at now: PacingInstant) {
    BucketLevel.requireCost(tokens)
    spend(tokens, at: advance(to: now))
  }

  /// Takes all that is there, and says how many tokens that were.
  package mutating func drain(at now: PacingInstant) -> Int {
    let now = advance(to: now)
    let tokens = level.balance(at: now)
    level.fullAt = max(level.fullAt, now.adding(level.scale.capacity))
    // Without what was reserved there would have been as much more to take.
    open.removeAll()
    return Int(clamping: max(0, tokens))
  }

  /// Grants nothing before an instant; a pause that lasts longer stays.
  package mutating func pause(until end: PacingInstant, at now: PacingInstant) {
    _ = advance(to: now)
    guard end > level.latest else { return }
    pausedUntil = max(end, pausedUntil ?? end)
  }

  /// Ends a pause.
  package mutating func resume(at now: PacingInstant) {
    _ = advance(to: now)
    pausedUntil = nil
  }

  /// Fills the bucket and ends a pause.
  package mutating func reset(at now: PacingInstant) {
    level.fullAt = advance(to: now)
    pausedUntil = nil
    open.removeAll()
  }

  /// Changes the rate, the burst or both.
  package mutating func reconfigure(
    rate: Rate?, burst: Int?, inheriting inheritance: Inheritance, at now: PacingInstant
  ) {
    _ = advance(to: now)
    let change = level.reconfigure(
      rate: rate ?? level.scale.rate, burst: burst ?? level.scale.burst,
      inheriting: inheritance.choice)
    savingSince = change.time(savingSince)
    pins.changeAll { pin in
      let due = change.time(pin.limit.adding(-change.old.capacity))
      pin.at = change.time(pin.at)
      pin.cost = change.new.units(pin.tokens)
      pin.limit =
        level.overdraft == .nextPays
        ? pin.at.adding(change.new.capacity).adding(pin.cost)
        : max(pin.at, due).adding(change.new.capacity)
    }
    switch inheritance.choice {
    case .keep, .additive:
      open.convert(change.amount)
      open.observe(level.debt(at: level.scale.time(level.latest)))
    case .proportional, .reset:
      open.removeAll()
    }
  }
}
