/// A plan of future spends, in order of time.
///
/// A bucket that is full at `f` and spends `c` at `t` is full at `max(f, t) + c`. A spend at `t` is
/// legal if the bucket is then full no later than `t` plus the time to fill it from empty. So the
/// earliest time that fits is a subtraction, and a spend fits before a pin if the pin's own limit
/// still holds.
struct SpendPlan {
  /// The time at which the bucket is full after all planned spends.
  var fullAt: Int128
  /// Nothing more is planned before this time, from which a cost may be saved up for.
  var earliest: Int128
  /// Nothing is granted before this time.
  let notBefore: Int128
  /// The number of pins ahead of the next spend.
  var passed: Int
  /// Whether a later spend might fit before some already planned.
  private(set) var leavesRoom = false

  init(fullAt: Int128, earliest: Int128, notBefore: Int128, passed: Int = 0) {
    self.fullAt = fullAt
    self.earliest = earliest
    self.notBefore = notBefore
    self.passed = passed
  }

  /// The earliest time of a grant, if its tokens have come.
  var start: Int128 { max(earliest, notBefore) }

  /// When a cost is spent and when it can be used; they differ only for a cost that is saved up
  /// for.
  struct Spend {
    let at: Int128
    let due: Int128
    /// The time at which the bucket is full after it.
    let end: Int128
    /// The number of pins ahead of it.
    let passed: Int
    /// Whether it comes later than its tokens.
    let leavesRoom: Bool

    /// Whether it is due before a pin, and leaves the pin its time.
    func isAhead(of pin: PinnedSpends.Pin) -> Bool { due <= pin.at && end <= pin.latest }
  }

  /// The earliest spend of a cost that is not before anything planned already, pins aside.
  ///
  /// `atWholeNanosecond` is for a caller that retries at that time instead of waiting or reserving.
  func next(
    _ tokens: Int, on scale: BucketScale, atWholeNanosecond isWhole: Bool = false
  ) -> Spend {
    let cost = scale.units(tokens)
    let isSavedFor = cost > scale.capacity && scale.overdraft == .savingUp
    let needed = scale.overdraft == .nextPays ? 0 : cost
    let accrued = isSavedFor ? fullAt : fullAt.adding(needed - scale.capacity)
    let fits = scale.next(isSavedFor ? earliest : max(start, accrued))
    let at = isWhole ? scale.wholeNanosecond(fits) : fits
    let end = max(fullAt, at).adding(cost)
    let due = isSavedFor ? max(at, notBefore, scale.next(end.adding(-scale.capacity))) : at
    return Spend(at: at, due: due, end: end, passed: passed, leavesRoom: at > accrued)
  }

  /// Plans a cost at the earliest time that fits, not before anything planned already.
  ///
  /// - Complexity: O(n) in the number of pins, over all calls for one plan.
  mutating func place(
    _ tokens: Int, on scale: BucketScale, among pins: PinnedSpends = PinnedSpends(),
    atWholeNanosecond isWhole: Bool = false
  ) -> Spend {
    while true {
      let spend = next(tokens, on: scale, atWholeNanosecond: isWhole)
      guard pins.count == passed || spend.isAhead(of: pins[passed]) else {
        // A cost that is saved up for may use what comes in a pause.
        let start = scale.overdraft == .savingUp ? earliest : start
        leavesRoom = leavesRoom || pins[passed].latest > max(fullAt, start)
        pass(pins[passed])
        continue
      }
      leavesRoom = leavesRoom || spend.leavesRoom
      fullAt = spend.end
      earliest = spend.due
      return spend
    }
  }

  /// Moves the plan past all pins.
  mutating func passAll(_ pins: PinnedSpends) {
    while passed < pins.count { pass(pins[passed]) }
  }

  private mutating func pass(_ pin: PinnedSpends.Pin) {
    fullAt = max(fullAt, pin.at).adding(pin.cost)
    earliest = max(earliest, pin.at)
    passed += 1
  }
}
