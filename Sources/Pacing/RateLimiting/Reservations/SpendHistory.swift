/// The spends since the first reservation that may still be settled, as a pure value.
///
/// A late refund must leave the bucket as if the lower cost had been spent from the start: tokens
/// that would have overflowed meanwhile are lost. So each open reservation is kept apart from what
/// follows it. Any sequence of events between two reservations maps the time `f` at which the
/// bucket is full to `max(f + shift, floor)`, so it is stored as one such step.
///
/// - Complexity: O(1) to record an event, O(n) in the number of open reservations for a correction.
struct SpendHistory: Sendable {
  /// A map of the time at which the bucket is full.
  struct Step {
    var shift: Int128
    var floor: Int128

    /// The step of a spend.
    static func spend(_ cost: Int128, at time: Int128) -> Step {
      Step(shift: cost, floor: time.adding(cost))
    }

    func callAsFunction(_ fullAt: Int128) -> Int128 {
      max(fullAt.adding(shift), floor)
    }

    /// The composition of this step and the next.
    func then(_ next: Step) -> Step {
      Step(shift: shift.adding(next.shift), floor: next(floor))
    }
  }

  private struct Entry {
    let number: PinnedSpends.Number
    var at: Int128
    var cost: Int128
    /// What happens between this entry and the next.
    var rest = Step(shift: 0, floor: .min)

    var whole: Step { Step.spend(cost, at: at).then(rest) }
  }

  /// The time at which the bucket is full before the first entry.
  private var start: Int128 = 0
  private var entries = ContiguousArray<Entry>()

  @inline(__always)
  var isEmpty: Bool { entries.isEmpty }

  /// How many reservations there is memory for.
  var capacity: Int { entries.capacity }

  /// Records a reservation that is spent now, in a bucket that is full at `fullAt` before it.
  mutating func append(
    _ number: PinnedSpends.Number, cost: Int128, at time: Int128, fullAt: Int128
  ) {
    if entries.isEmpty { start = fullAt }
    entries.append(Entry(number: number, at: time, cost: cost))
  }

  /// Records an event after the last entry.
  mutating func note(_ step: Step) {
    guard let last = entries.indices.last else { return }
    entries[last].rest = entries[last].rest.then(step)
  }

  /// Corrects the cost of a reservation, and closes it.
  ///
  /// - Returns: How much earlier the bucket is full; zero if the reservation is unknown.
  mutating func correct(_ number: PinnedSpends.Number, to cost: Int128) -> Int128 {
    guard let index = index(of: number) else { return 0 }
    let before = fullAt
    entries[index].cost = cost
    let after = fullAt
    close(index)
    return before.adding(-after)
  }

  /// Closes a reservation; false if it is unknown.
  mutating func close(_ number: PinnedSpends.Number) -> Bool {
    guard let index = index(of: number) else { return false }
    close(index)
    return true
  }

  mutating func removeAll() {
    entries.removeAll(keepingCapacity: true)
    entries.shrinkIfSparse()
  }

  /// Converts times and amounts to other units.
  mutating func convert(time: (Int128) -> Int128, amount: (Int128) -> Int128) {
    start = time(start)
    for index in entries.indices {
      entries[index].at = time(entries[index].at)
      entries[index].cost = amount(entries[index].cost)
      entries[index].rest.shift = amount(entries[index].rest.shift)
      entries[index].rest.floor = time(entries[index].rest.floor)
    }
  }

  /// The time at which the bucket is full after all entries.
  private var fullAt: Int128 {
    entries.reduce(start) { $1.whole($0) }
  }

  private func index(of number: PinnedSpends.Number) -> Int? {
    entries.firstIndex { $0.number == number }
  }

  /// Merges an entry into the one before it.
  private mutating func close(_ index: Int) {
    let step = entries.remove(at: index).whole
    entries.shrinkIfSparse()
    if index == 0 {
      start = step(start)
    } else {
      entries[index - 1].rest = entries[index - 1].rest.then(step)
    }
  }
}
