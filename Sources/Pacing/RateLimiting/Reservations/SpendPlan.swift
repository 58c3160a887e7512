/// What is spent from now on, in order of time, as far as it has been planned.
///
/// Each spend keeps the bucket refilling for as long as its tokens take to come: a bucket that is
/// full at `f` and spends `c` at `t` is full at `max(f, t) + c`. A spend is allowed at `t` where
/// the bucket is full again no later than a whole one takes from there. So the first time at which
/// it fits is a subtraction, and it fits before a pinned spend where that one still meets its own
/// limit.
struct SpendPlan {
  /// The time at which the bucket is full after all that has been planned.
  var fullAt: Int128
  /// Nothing is planned before this time.
  var earliest: Int128
  /// How many pinned spends come before what is planned next.
  private(set) var passed: Int
  /// Whether anything might have fitted before what has been planned.
  private(set) var leavesRoom = false

  init(fullAt: Int128, earliest: Int128, passed: Int = 0) {
    self.fullAt = fullAt
    self.earliest = earliest
    self.passed = passed
  }

  /// When a cost is spent, and when it can be used: the same but for one that is saved up for.
  struct Spend {
    let at: Int128
    let due: Int128
  }

  /// Plans a cost at the earliest time that fits, not before anything that was planned already.
  ///
  /// Someone who asks again then, instead of waiting or reserving, can do so at a whole nanosecond
  /// only.
  ///
  /// - Complexity: O(n) in the number of pinned spends, over all calls for one plan.
  mutating func place(
    _ tokens: Int, on scale: BucketScale, among pins: PinnedSpends = PinnedSpends(),
    atWholeNanosecond isWhole: Bool = false
  ) -> Spend {
    let cost = scale.units(tokens)
    let isSavedFor = cost > scale.capacity && scale.overdraft == .savingUp
    let needed = scale.overdraft == .nextPays ? 0 : cost
    while true {
      let fits = scale.next(isSavedFor ? earliest : max(earliest, self.fits(needed, on: scale)))
      let at = isWhole ? scale.wholeNanosecond(fits) : fits
      let end = max(fullAt, at).adding(cost)
      guard pins.count == passed || at <= pins[passed].at && end <= pins[passed].latest else {
        leavesRoom = leavesRoom || pins[passed].latest > max(fullAt, earliest)
        pass(pins[passed])
        continue
      }
      leavesRoom = leavesRoom || at > (isSavedFor ? fullAt : self.fits(needed, on: scale))
      let due = isSavedFor ? max(at, scale.next(end.adding(-scale.capacity))) : at
      fullAt = end
      earliest = due
      return Spend(at: at, due: due)
    }
  }

  /// When so much is there.
  private func fits(_ needed: Int128, on scale: BucketScale) -> Int128 {
    fullAt.adding(needed - scale.capacity)
  }

  /// Goes past all that is pinned.
  mutating func passAll(_ pins: PinnedSpends) {
    while passed < pins.count { pass(pins[passed]) }
  }

  private mutating func pass(_ pin: PinnedSpends.Pin) {
    fullAt = max(fullAt, pin.at).adding(pin.cost)
    earliest = max(earliest, pin.at)
    passed += 1
  }
}
