internal import Pacing

/// A key's leased tokens, each with the end of the lease that took it.
///
/// Tokens of several leases meet if a request costs more than what is left of the last.
struct LeasedTokens: Sendable {
  /// Nonempty, the first to end in front.
  private var batches = [(count: Int, end: PacingInstant)]()

  /// How many can be spent at `now`.
  func count(at now: PacingInstant) -> Int {
    batches.reduce(0) { $0 + ($1.end > now ? $1.count : 0) }
  }

  /// Adds the tokens of a lease, which ends no earlier than those before it.
  mutating func add(_ count: Int, until end: PacingInstant) {
    batches.append((count, end))
  }

  /// Takes tokens, all or none, those first that end first.
  mutating func take(_ count: Int, at now: PacingInstant) -> Bool {
    // As for almost every request: what ends first is there, and is more than enough.
    if let first = batches.first, first.end > now, first.count > count {
      batches[0].count -= count
      return true
    }
    batches.removeAll { $0.end <= now }
    guard self.count(at: now) >= count else { return false }
    var rest = count
    while rest > 0 {
      let part = min(rest, batches[0].count)
      batches[0].count -= part
      rest -= part
      if batches[0].count == 0 { batches.removeFirst() }
    }
    return true
  }
}
