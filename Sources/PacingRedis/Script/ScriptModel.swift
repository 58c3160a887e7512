internal import Pacing

/// An in-process model of the script, in integer arithmetic.
final class ScriptModel: Sendable {
  fileprivate struct Entry {
    var debt: Int64
    var stamp: Int64
    var period: Int64
    /// When the server would expire the entry; the bucket is full by then.
    var end: Int64
  }

  fileprivate struct State {
    var entries = [BucketName: Entry]()
    /// The number of entries at which full ones are swept.
    var sweepCount = 1024
  }

  private let state = Locked(State())

  init() {}

  /// The number of buckets held, including full ones not yet swept.
  var count: Int { state.withLock { $0.entries.count } }

  func reply(to inquiry: Inquiry, at instant: PacingInstant) -> Inquiry.Reply {
    let (now, rest) = instant.nanoseconds.quotientAndRemainder(dividingBy: 1000)
    return reply(to: inquiry, at: now - (rest < 0 ? 1 : 0))
  }

  /// Answers at a time in microseconds.
  func reply(to inquiry: Inquiry, at now: Int64) -> Inquiry.Reply {
    state.withLock { state in
      guard inquiry.count >= 0 else {
        for bucket in inquiry.buckets { state.entries[BucketName(bucket.name)] = nil }
        return Inquiry.Reply(granted: 0, debts: [])
      }
      var entries = inquiry.buckets.map { state.entry(of: $0, at: now) }
      let granted = zip(inquiry.buckets, entries).reduce(inquiry.count) {
        min($0, Self.room($1.0, $1.1, inquiry.wait))
      }
      if granted > 0 {
        for (index, bucket) in inquiry.buckets.enumerated() where bucket.cost > 0 {
          let debt = Int128(entries[index].debt) + Int128(granted) * Int128(bucket.cost)
          entries[index].debt = Int64(min(debt, Int128(BucketTerms.largest)))
          let time = entries[index].debt / bucket.terms.speed + 1
          entries[index].end = now.adding(time)
          state.entries[BucketName(bucket.name)] = entries[index]
        }
        state.sweep(at: now)
      }
      return Inquiry.Reply(granted: max(0, granted), debts: entries.map { $0.debt })
    }
  }

  /// How many times the cost of a bucket fits.
  private static func room(_ bucket: Inquiry.Bucket, _ entry: Entry, _ wait: Int64) -> Int {
    guard bucket.cost > 0 else { return .max }
    let units =
      Int128(bucket.terms.capacity) + Int128(wait) * Int128(bucket.terms.speed)
      - Int128(entry.debt)
    return units < 0 ? 0 : Int(clamping: units / Int128(bucket.cost))
  }
}

extension ScriptModel.State {
  /// A bucket's state at `now`; stored if the clock has stepped back by more than a refill.
  fileprivate mutating func entry(of bucket: Inquiry.Bucket, at now: Int64) -> ScriptModel.Entry {
    let terms = bucket.terms
    let name = BucketName(bucket.name)
    guard var entry = entries[name] else {
      return ScriptModel.Entry(debt: 0, stamp: now, period: terms.period, end: now)
    }
    if entry.period != terms.period {
      let product = Int128(entry.debt) * Int128(terms.period)
      let (debt, rest) = product.quotientAndRemainder(dividingBy: Int128(entry.period))
      entry.debt = Int64(min(debt + (rest > 0 ? 1 : 0), Int128(BucketTerms.largest)))
      entry.period = terms.period
    }
    if entry.stamp <= now {
      let refill = Int128(now - entry.stamp) * Int128(terms.speed)
      entry.debt = Int64(max(0, Int128(entry.debt) - refill))
      entry.stamp = now
    } else if Int128(entry.stamp - now) * Int128(terms.speed) > Int128(terms.capacity) {
      entry.stamp = now
      entry.end = now.adding(entry.debt / terms.speed + 1)
      entries[name] = entry
    }
    return entry
  }

  /// Drops full buckets, at amortised constant cost.
  fileprivate mutating func sweep(at now: Int64) {
    guard entries.count > sweepCount else { return }
    entries = entries.filter { $0.value.end > now }
    sweepCount = max(1024, entries.count * 2)
  }
}
