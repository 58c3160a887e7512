/// Changes of the bucket from outside.
///
/// Reservations keep their times. Waiters are served by the new level, and the queue refuses those
/// that can no longer be served in time. What a waiter has saved up above a full bucket stays when
/// tokens are added, and is lost when some are taken.
extension BucketState {
  /// Adds tokens, up to a full bucket.
  package mutating func add(_ tokens: Int, at now: PacingInstant) {
    ConfigurationError.requireCost(tokens)
    let now = advance(to: now)
    apply(SpendHistory.Step(shift: -level.scale.units(tokens), floor: fullest(at: now)))
  }

  /// Takes tokens, even into debt.
  package mutating func penalize(_ tokens: Int, at now: PacingInstant) {
    ConfigurationError.requireCost(tokens)
    spend(tokens, at: advance(to: now))
    noteDelay()
  }

  /// Takes all tokens in the bucket, and returns their number.
  package mutating func drain(at now: PacingInstant) -> Int {
    let now = advance(to: now)
    let tokens = level.balance(at: now)
    apply(SpendHistory.Step(shift: 0, floor: now.adding(level.scale.capacity)))
    noteDelay()
    return Int(clamping: max(0, tokens))
  }

  /// Grants nothing before `end`; a longer pause stays in force.
  package mutating func pause(until end: PacingInstant, at now: PacingInstant) {
    _ = advance(to: now)
    guard end > latest else { return }
    pausedUntil = max(end, pausedUntil ?? end)
    forecast = nil
    noteDelay()
  }

  package mutating func resume(at now: PacingInstant) {
    _ = advance(to: now)
    pausedUntil = nil
    forgetPlans()
  }

  /// Fills the bucket and ends a pause.
  package mutating func reset(at now: PacingInstant) {
    level.fullAt = fullest(at: advance(to: now))
    forgetPlans()
    pausedUntil = nil
    history.removeAll()
  }

  /// The time at which a bucket that is filled now is full: the first waiter may have saved up
  /// more than that.
  private func fullest(at now: Int128) -> Int128 { isHeadSaving ? min(level.fullAt, now) : now }

  private mutating func apply(_ step: SpendHistory.Step) {
    history.note(step)
    forgetPlans()
    level.fullAt = step(level.fullAt)
  }

  package mutating func reconfigure(
    rate: Rate?, burst: Int?, inheriting inheritance: Inheritance, at now: PacingInstant
  ) {
    let before = advance(to: now)
    let change = level.reconfigure(
      rate: rate ?? level.scale.rate, burst: burst ?? level.scale.burst,
      inheriting: inheritance.kind, at: latest)
    forgetPlans()
    // A waiter's cost may also exceed the new burst.
    mayBeHopeless = !waiters.isEmpty
    mustReviewCosts = mayBeHopeless
    savingSince = change.time(savingSince)
    servedUntil = change.new.time(latest)
    pins.changeAll { pin in
      let due = change.time(pin.limit.adding(-change.old.capacity))
      pin.at = change.time(pin.at)
      pin.cost = change.new.units(pin.tokens)
      pin.limit =
        level.scale.overdraft == .nextPays
        ? pin.at.adding(change.new.capacity).adding(pin.cost)
        : max(pin.at, due).adding(change.new.capacity)
    }
    convertHistory(change, before: before, inheritance.kind)
  }

  /// Converts the history so that past spends and debts keep their number of tokens.
  private mutating func convertHistory(
    _ change: ScaleChange, before: Int128, _ kind: Inheritance.Kind
  ) {
    guard !history.isEmpty else { return }
    guard kind == .keep || kind == .additive, !change.old.isUnlimited else {
      return history.removeAll()
    }
    let now = change.new.time(latest)
    history.convert {
      $0 == .min ? .min : now.adding(change.amount($0.adding(-before)))
    } amount: {
      change.amount($0)
    }
    // The level is capped at the new burst, or the room grows with it.
    let growth = change.new.capacity.adding(-change.amount(change.old.capacity))
    let shift = kind == .additive ? min(0, growth) : growth
    history.note(SpendHistory.Step(shift: shift, floor: now.adding(max(0, shift))))
  }
}
