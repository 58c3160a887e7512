extension BucketState {
  package struct Reserved: Hashable, Sendable {
    /// The reservation's number, nil if it costs nothing.
    package let number: UInt64?
    /// The instant from which it can be used.
    package let due: PacingInstant
  }

  /// How many reservations there is memory for.
  package var reservationCapacity: Int { max(pins.capacity, history.capacity) }

  /// Pins a spend to the earliest time that fits, or refuses it and changes nothing.
  ///
  /// - Complexity: O(1) if there are no waiters and nothing fits between the reservations ahead,
  ///   which holds until one is cancelled or settled; otherwise O(n) in the number of reservations
  ///   and waiters.
  package mutating func reserve(
    _ cost: Int, within timeout: Nanoseconds? = nil, at now: PacingInstant
  ) -> Result<Reserved, AcquireError> {
    ConfigurationError.requireCost(cost)
    let now = advance(to: now)
    let result = place(cost, within: timeout, at: now)
    if case .success = result {
      statistics.note(true, cost)
    } else {
      statistics.note(false, cost)
    }
    return result
  }

  private mutating func place(
    _ tokens: Int, within timeout: Nanoseconds?, at now: Int128
  ) -> Result<Reserved, AcquireError> {
    guard !isClosed else { return .failure(.closed) }
    guard tokens > 0 else { return .success(Reserved(number: nil, due: latest)) }
    guard level.canPay(tokens) else {
      return .failure(.exceedsBurst(cost: tokens, burst: level.scale.burst))
    }
    var plan = planForNewcomer(at: now)
    let spend = plan.place(tokens, on: level.scale, among: pins)
    let wait = wait(until: spend.due)
    guard wait < .never, wait <= timeout ?? .never else {
      return .failure(.deadline(neededWait: Duration(nanoseconds: wait)))
    }
    if waiters.isNewestFirst { noteDelay() }
    forecast = nil
    let number = nextNumber
    nextNumber += 1
    let pin = PinnedSpends.Pin(
      number: number, tokens: tokens, cost: level.scale.units(tokens), at: spend.at,
      limit: limit(of: tokens, at: spend.at, due: spend.due))
    if spend.at <= now, !isHeadSaving {
      self.spend(pin)
    } else {
      let isTight = plan.passed == pins.count && !plan.leavesRoom && waiters.isEmpty
      tail = isTight ? plan.fullAt : nil
      pins.insert(pin, at: plan.passed)
    }
    return .success(Reserved(number: number, due: instant(spend.due)))
  }

  /// The latest time at which the bucket may be full after a legal spend.
  func limit(of tokens: Int, at time: Int128, due: Int128) -> Int128 {
    let scale = level.scale
    return level.scale.overdraft == .nextPays
      ? time.adding(scale.capacity).adding(scale.units(tokens)) : due.adding(scale.capacity)
  }

  /// Gives back a reservation of `cost` tokens, up to and including its time.
  ///
  /// - Returns: Whether it was in time.
  package mutating func cancel(
    _ reserved: Reserved, cost: Int, at now: PacingInstant
  ) -> Bool {
    let now = advance(to: now)
    guard latest <= reserved.due else { return false }
    statistics.tokens &-= cost
    guard let number = reserved.number else { return true }
    if let index = pins.index(of: number) {
      forgetPlans()
      pins.remove(at: index)
    } else {
      correct(number, to: 0, at: now)
    }
    return true
  }

  /// Corrects the cost of a reservation to what was used.
  ///
  /// An excess is given back as far as the bucket would still hold it; a shortfall is spent now,
  /// even into debt.
  package mutating func settle(
    _ reserved: Reserved, cost: Int, actual: Int, at now: PacingInstant
  ) {
    ConfigurationError.requireCost(actual)
    let now = advance(to: now)
    statistics.tokens &+= actual &- cost
    let index = reserved.number.flatMap { pins.index(of: $0) }
    if actual > cost {
      forget(reserved)
      spend(actual - cost, at: now)
      noteDelay()
    } else if let index {
      reducePin(at: index, to: actual)
    } else if let number = reserved.number {
      correct(number, to: actual, at: now)
    }
  }

  /// Notes that a reservation will be neither cancelled nor settled.
  package mutating func forget(_ reserved: Reserved) {
    guard let number = reserved.number, !history.close(number) else { return }
    if let index = pins.index(of: number) { pins.close(at: index) }
  }

  private mutating func reducePin(at index: Int, to tokens: Int) {
    forgetPlans()
    guard tokens > 0 else { return pins.remove(at: index) }
    let cost = level.scale.units(tokens)
    let isOverdraft = level.scale.overdraft == .nextPays
    pins.change(at: index) { pin in
      if isOverdraft { pin.limit = pin.limit.adding(cost - pin.cost) }
      pin.tokens = tokens
      pin.cost = cost
      pin.isOpen = false
    }
  }

  /// Reduces the cost of a spent reservation as if it had been lower from the start.
  private mutating func correct(_ number: UInt64, to tokens: Int, at now: Int128) {
    forgetPlans()
    let units = history.correct(number, to: level.scale.units(tokens))
    level.fullAt = level.fullAt.adding(-min(units, level.debt(at: now)))
  }
}
