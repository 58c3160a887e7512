/// What has happened to a bucket since the first reservation that may still be settled: a pure
/// value.
///
/// What is given back late must be what the bucket would hold now if it had been so from the start:
/// tokens for which there would have been no room meanwhile are gone. So what was reserved is kept
/// apart from what came after it. All that can happen between two reservations, however much it is,
/// takes the time `f` at which the bucket is full to `max(f + shift, floor)`, for some shift and
/// floor.
///
/// - Complexity: O(1) for what happens, O(n) in the number of reservations for a correction.
struct SpendHistory: Sendable {
  /// Takes the time at which the bucket is full to a later or an earlier one.
  struct Step {
    var shift: Int128
    var floor: Int128

    /// What a spend does.
    static func spend(_ cost: Int128, at time: Int128) -> Step {
      Step(shift: cost, floor: time.adding(cost))
    }

    func callAsFunction(_ fullAt: Int128) -> Int128 {
      max(fullAt.adding(shift), floor)
    }

    /// This one, and then another.
    func then(_ next: Step) -> Step {
      Step(shift: shift.adding(next.shift), floor: next(floor))
    }
  }

  private struct Entry {
    let number: PinnedSpends.Number
    var at: Int128
    var cost: Int128
    /// What has happened after it, and before the next.
    var rest = Step(shift: 0, floor: .min)

    var whole: Step { Step.spend(cost, at: at).then(rest) }
  }

  /// When the bucket was full before the first of them.
  private var start: Int128 = 0
  private var entries = ContiguousArray<Entry>()

  @inline(__always)
  var isEmpty: Bool { entries.isEmpty }

  /// Adds a reservation that is spent now, of a bucket that is full at `fullAt` before it.
  mutating func append(
    _ number: PinnedSpends.Number, cost: Int128, at time: Int128, fullAt: Int128
  ) {
    if entries.isEmpty { start = fullAt }
    entries.append(Entry(number: number, at: time, cost: cost))
  }

  /// Notes what happened after the last one.
  mutating func note(_ step: Step) {
    guard let last = entries.indices.last else { return }
    entries[last].rest = entries[last].rest.then(step)
  }

  /// Corrects the cost of a reservation, and closes it.
  ///
  /// - Returns: How much earlier the bucket is full; zero where the reservation is not known.
  mutating func correct(_ number: PinnedSpends.Number, to cost: Int128) -> Int128 {
    guard let index = index(of: number) else { return 0 }
    let before = fullAt
    entries[index].cost = cost
    let after = fullAt
    close(index)
    return before.adding(-after)
  }

  /// Forgets a reservation; false where it is not known.
  mutating func close(_ number: PinnedSpends.Number) -> Bool {
    guard let index = index(of: number) else { return false }
    close(index)
    return true
  }

  /// Forgets all of them.
  mutating func removeAll() {
    entries.removeAll(keepingCapacity: true)
  }

  /// Changes the units of times and of amounts.
  mutating func convert(time: (Int128) -> Int128, amount: (Int128) -> Int128) {
    start = time(start)
    for index in entries.indices {
      entries[index].at = time(entries[index].at)
      entries[index].cost = amount(entries[index].cost)
      entries[index].rest.shift = amount(entries[index].rest.shift)
      entries[index].rest.floor = time(entries[index].rest.floor)
    }
  }

  /// When the bucket is full after all of it.
  private var fullAt: Int128 {
    entries.reduce(start) { $1.whole($0) }
  }

  private func index(of number: PinnedSpends.Number) -> Int? {
    entries.firstIndex { $0.number == number }
  }

  /// Makes what happened there a part of what came before it.
  private mutating func close(_ index: Int) {
    let step = entries.remove(at: index).whole
    if index == 0 {
      start = step(start)
    } else {
      entries[index - 1].rest = entries[index - 1].rest.then(step)
    }
  }
}
