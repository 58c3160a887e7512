internal import Pacing

/// Answers known without a call: refusals and leased tokens, for a bounded number of keys.
///
/// A fixed-size table with one key per slot. A new key evicts the old one, which then costs a call.
struct KeyMemory: Sendable {
  /// The slot of a key, for as long as the key has it under the same quota.
  struct Place: Sendable {
    fileprivate let index: Int
    fileprivate let id: Int
  }

  private struct Slot {
    let name: BucketName
    var terms: BucketTerms
    /// The debt that the store reported, and the start of the call that reported it.
    var debt: Int64 = 0
    var seen = PacingInstant.distantPast
    /// What calls report that began by then is not noted.
    var reset = PacingInstant.distantPast
    var leased = LeasedTokens()
    /// How many tokens the last call leased.
    var lastLease = 0
    /// The start of the last call for requests, and the tokens spent since.
    var lastCall: PacingInstant?
    var spent = 0

    /// The time since the debt was reported; another thread may have noted it after `now` was read.
    func age(at now: PacingInstant) -> Duration { max(.zero, seen.duration(to: now)) }

    /// Takes leased tokens, all or none.
    mutating func take(_ cost: Int, at now: PacingInstant) -> Bool {
      guard leased.take(cost, at: now) else { return false }
      spent += cost
      return true
    }

    /// Answers a request from the lease; nil if that does not hold its cost.
    mutating func grant(_ cost: Int, at now: PacingInstant) -> Decision? {
      guard take(cost, at: now) else { return nil }
      return Decision(
        isAllowed: true,
        remaining: leased.count(at: now) + Int(clamping: max(0, terms.tokens(debt: debt))),
        retryAfter: .zero, resetAfter: max(.zero, terms.time(debt) - age(at: now)),
        source: .lease)
    }
  }

  private var slots: [Slot?]
  /// Of each slot's key, and of no other, also of those that were there before.
  private var ids: [Int]
  private var lastID = 0
  private let lease: Lease?

  /// Creates a table for at least `count` keys.
  init(atLeast count: Int, lease: Lease?) {
    let bits = Int.bitWidth - (max(1, min(count, 1 << 20)) - 1).leadingZeroBitCount
    slots = Array(repeating: nil, count: 1 << bits)
    ids = Array(repeating: 0, count: 1 << bits)
    self.lease = lease
  }

  /// Answers a request without a call; nil if it needs one.
  mutating func decide(
    _ cost: Int, _ name: BucketName, _ terms: BucketTerms, at now: PacingInstant
  ) -> Decision? {
    guard let index = known(name, terms) else { return nil }
    return decide(cost, at: index, now)
  }

  /// Answers a request of a key whose place is known.
  mutating func decide(_ cost: Int, at place: Place, _ now: PacingInstant) -> Decision? {
    guard ids[place.index] == place.id else { return nil }
    return decide(cost, at: place.index, now)
  }

  private mutating func decide(_ cost: Int, at index: Int, _ now: PacingInstant) -> Decision? {
    if lease != nil, let grant = slots[index]?.grant(cost, at: now) { return grant }
    return refusal(cost, at: index, now)
  }

  /// Where a key is remembered; nil if it is not.
  func place(of name: BucketName, _ terms: BucketTerms) -> Place? {
    known(name, terms).map { Place(index: $0, id: ids[$0]) }
  }

  /// Answers a request that only the store could grant; nil unless it is known to be refused.
  func refusal(
    _ cost: Int, _ name: BucketName, _ terms: BucketTerms, at now: PacingInstant
  ) -> Decision? {
    guard let index = known(name, terms) else { return nil }
    return refusal(cost, at: index, now)
  }

  private func refusal(_ cost: Int, at index: Int, _ now: PacingInstant) -> Decision? {
    guard let slot = slots[index], slot.seen != .distantPast else { return nil }
    let age = slot.age(at: now)
    guard slot.terms.wait(for: cost, debt: slot.debt) > age else { return nil }
    return slot.terms.decision(
      cost, isAllowed: false, debt: slot.debt, age: age, source: .memory)
  }

  private mutating func take(_ cost: Int, at index: Int, _ now: PacingInstant) -> Bool {
    lease != nil && slots[index]?.take(cost, at: now) == true
  }

  /// Takes leased tokens, all or none.
  mutating func takeLeased(
    exactly cost: Int, _ name: BucketName, _ terms: BucketTerms, at now: PacingInstant
  ) -> Bool {
    guard let index = known(name, terms) else { return false }
    return take(cost, at: index, now)
  }

  /// Takes up to `count` leased tokens.
  mutating func takeLeased(
    upTo count: Int, _ name: BucketName, _ terms: BucketTerms, at now: PacingInstant
  ) -> Int {
    guard let index = known(name, terms) else { return 0 }
    let taken = min(count, slots[index]!.leased.count(at: now))
    return taken > 0 && take(taken, at: index, now) ? taken : 0
  }

  /// Starts a call for requests, and returns how many further times the cost to lease.
  mutating func beginCall(
    _ cost: Int, _ name: BucketName, _ terms: BucketTerms, at now: PacingInstant
  ) -> Int {
    guard let lease else { return 0 }
    let index = claim(name, terms)
    defer {
      slots[index]!.lastCall = now
      slots[index]!.spent = 0
    }
    let slot = slots[index]!
    guard let last = slot.lastCall else { return 0 }
    let elapsed = max(1, Nanoseconds(roundingUp: last.duration(to: now)))
    let pace = Int128(slot.spent) * Int128(Nanoseconds(roundingUp: lease.time)) / Int128(elapsed)
    // Counted in costs, so that the first lease for any cost is one more of it.
    let times = min(pace / Int128(cost), Int128(slot.lastLease / cost) * 2 + 1)
    // What is left of earlier leases is too little for the cost, and counts.
    let room = lease.count - slot.leased.count(at: now)
    // Other threads may have noted leases since `now` was read.
    return max(0, min(Int(clamping: times), room / cost))
  }

  /// Records the debt that a call started at `begun` reported.
  mutating func note(
    debt: Int64, _ name: BucketName, _ terms: BucketTerms, askedAt begun: PacingInstant
  ) {
    let index = claim(name, terms)
    guard begun >= slots[index]!.seen, begun > slots[index]!.reset else { return }
    slots[index]!.debt = debt
    slots[index]!.seen = begun
  }

  /// Records what such a call spent, and how much of it is leased.
  mutating func noteSpent(
    _ spent: Int, leased: Int, _ name: BucketName, _ terms: BucketTerms,
    askedAt begun: PacingInstant
  ) {
    guard let lease else { return }
    let index = claim(name, terms)
    guard begun > slots[index]!.reset else { return }
    slots[index]!.spent += spent
    slots[index]!.lastLease = leased
    guard leased > 0 else { return }
    slots[index]!.leased.add(leased, until: begun.advanced(by: lease.time))
  }

  /// Forgets what is known of a key, and what calls on their way will report.
  mutating func forget(_ name: BucketName, _ terms: BucketTerms, at now: PacingInstant) {
    put(Slot(name: name, terms: terms, reset: now), at: index(of: name))
  }

  private mutating func put(_ slot: Slot, at index: Int) {
    lastID += 1
    (slots[index], ids[index]) = (slot, lastID)
  }

  private func index(of name: BucketName) -> Int { name.hashValue & (slots.count - 1) }

  /// The slot of a key; nil if the key does not have it under this quota.
  private func known(_ name: BucketName, _ terms: BucketTerms) -> Int? {
    let index = index(of: name)
    return slots[index]?.name == name && slots[index]?.terms == terms ? index : nil
  }

  /// The slot of a key, after evicting any other key from it.
  private mutating func claim(_ name: BucketName, _ terms: BucketTerms) -> Int {
    if let index = known(name, terms) { return index }
    let index = index(of: name)
    put(Slot(name: name, terms: terms), at: index)
    return index
  }
}
