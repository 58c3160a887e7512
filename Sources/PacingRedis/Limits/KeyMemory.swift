internal import Pacing

/// What is known of some keys without a call: until when they are refused, and what is leased.
///
/// A table of fixed size with one key in each slot: a newer key takes the slot, and the older one
/// costs a call.
struct KeyMemory: Sendable {
  private struct Slot {
    let name: String
    var terms: BucketTerms
    /// What the store answered, and an instant before it was asked.
    var debt: Int64 = 0
    var seen = PacingInstant.distantPast
    /// Tokens taken ahead, and when they are lost.
    var leased = 0
    var leaseEnd = PacingInstant.distantPast
    /// The size of the last lease.
    var lastLease = 0
    /// The last call for those who ask, and what was spent since.
    var lastCall: PacingInstant?
    var spent = 0
  }

  private var slots: [Slot?]
  private let lease: Lease?

  /// Makes a table for at least that many keys.
  init(atLeast count: Int, lease: Lease?) {
    let bits = Int.bitWidth - (max(1, min(count, 1 << 30)) - 1).leadingZeroBitCount
    slots = Array(repeating: nil, count: 1 << bits)
    self.lease = lease
  }

  /// Answers a request without a call, nil if it takes one.
  mutating func decide(
    _ cost: Int, _ name: String, _ terms: BucketTerms, at now: PacingInstant
  ) -> Decision? {
    let index = index(of: name)
    guard slots[index]?.name == name, slots[index]?.terms == terms else { return nil }
    if take(cost, at: index, now) {
      let slot = slots[index]!
      return Decision(
        isAllowed: true, remaining: slot.leased + max(0, terms.tokens(debt: slot.debt)),
        retryAfter: .zero,
        resetAfter: max(.zero, terms.time(slot.debt) - slot.seen.duration(to: now)),
        source: .lease)
    }
    return refusal(cost, at: index, now)
  }

  /// Answers a request that only the store could grant, nil unless it is known to refuse.
  func refusal(
    _ cost: Int, _ name: String, _ terms: BucketTerms, at now: PacingInstant
  ) -> Decision? {
    let index = index(of: name)
    guard slots[index]?.name == name, slots[index]?.terms == terms else { return nil }
    return refusal(cost, at: index, now)
  }

  private func refusal(_ cost: Int, at index: Int, _ now: PacingInstant) -> Decision? {
    guard let slot = slots[index], slot.seen != .distantPast else { return nil }
    let age = slot.seen.duration(to: now)
    guard slot.terms.wait(for: cost, debt: slot.debt) > age else { return nil }
    return slot.terms.decision(
      cost, isAllowed: false, debt: slot.debt, age: age, source: .memory)
  }

  private mutating func take(_ cost: Int, at index: Int, _ now: PacingInstant) -> Bool {
    guard lease != nil, let slot = slots[index], slot.leased >= cost, now < slot.leaseEnd else {
      return false
    }
    slots[index]!.leased -= cost
    slots[index]!.spent += cost
    return true
  }

  /// Takes leased tokens, all or none.
  mutating func takeLeased(
    exactly cost: Int, _ name: String, _ terms: BucketTerms, at now: PacingInstant
  ) -> Bool {
    let index = index(of: name)
    guard slots[index]?.name == name, slots[index]?.terms == terms else { return false }
    return take(cost, at: index, now)
  }

  /// Takes leased tokens, up to a number.
  mutating func takeLeased(
    upTo count: Int, _ name: String, _ terms: BucketTerms, at now: PacingInstant
  ) -> Int {
    let index = index(of: name)
    guard let slot = slots[index], slot.name == name, slot.terms == terms else { return 0 }
    let taken = min(count, slot.leased)
    return taken > 0 && take(taken, at: index, now) ? taken : 0
  }

  /// Begins a call for those who ask, and says how many more times the cost is to be leased.
  mutating func beginCall(
    _ cost: Int, _ name: String, _ terms: BucketTerms, at now: PacingInstant
  ) -> Int {
    guard let lease else { return 0 }
    let index = claim(name, terms)
    defer {
      slots[index]!.lastCall = now
      slots[index]!.spent = 0
      // What is left when a call is made is too little, or too old.
      if now >= slots[index]!.leaseEnd { slots[index]!.leased = 0 }
    }
    let slot = slots[index]!
    guard let last = slot.lastCall else { return 0 }
    let elapsed = max(1, Nanoseconds(roundingUp: last.duration(to: now)))
    let pace = Int128(slot.spent) * Int128(Nanoseconds(roundingUp: lease.time)) / Int128(elapsed)
    // Counted in costs, so that the first lease of any cost is one more of it.
    let times = min(pace / Int128(cost), Int128(slot.lastLease / cost) * 2 + 1)
    return min(Int(clamping: times), lease.count / cost)
  }

  /// Notes what the store has answered to a call that began at an instant.
  mutating func note(
    debt: Int64, _ name: String, _ terms: BucketTerms, askedAt begun: PacingInstant
  ) {
    let index = claim(name, terms)
    guard begun >= slots[index]!.seen else { return }
    slots[index]!.debt = debt
    slots[index]!.seen = begun
  }

  /// Notes what such a call has spent, and what of it is leased.
  mutating func noteSpent(
    _ spent: Int, leased: Int, _ name: String, _ terms: BucketTerms, askedAt begun: PacingInstant
  ) {
    guard let lease else { return }
    let index = claim(name, terms)
    slots[index]!.spent += spent
    slots[index]!.lastLease = leased
    guard leased > 0 else { return }
    slots[index]!.leased += leased
    slots[index]!.leaseEnd = begun.advanced(by: lease.time)
  }

  mutating func forget(_ name: String) {
    let index = index(of: name)
    if slots[index]?.name == name { slots[index] = nil }
  }

  private func index(of name: String) -> Int { name.hashValue & (slots.count - 1) }

  /// The slot of a key, which another key loses.
  private mutating func claim(_ name: String, _ terms: BucketTerms) -> Int {
    let index = index(of: name)
    if slots[index]?.name != name || slots[index]?.terms != terms {
      slots[index] = Slot(name: name, terms: terms)
    }
    return index
  }
}
