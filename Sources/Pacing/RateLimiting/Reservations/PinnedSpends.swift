/// Reservations whose time has not come, in the order of their times: a pure value.
///
/// Each knows the latest time at which the bucket may be full before it, so that it and all those
/// after it keep their own times. That depends on the pinned spends alone and not on the level, so
/// what is spent before them costs nothing here, and whether something fits before one is a
/// comparison.
///
/// - Complexity: `insert` at the end is O(1) where it is the first that fits, `popFirst` on the
///   average; everything else is O(n).
struct PinnedSpends: Sendable {
  /// The name of a reservation, unique in its bucket.
  typealias Number = UInt64

  struct Pin {
    let number: Number
    var tokens: Int
    /// The units of its cost.
    var cost: Int128
    /// When it is spent.
    var at: Int128
    /// The latest time at which the bucket may be full after it.
    var limit: Int128
    /// The latest time at which the bucket may be full before it.
    fileprivate(set) var latest: Int128 = 0
    /// Whether it may still be settled when it has been spent.
    var isOpen = true
  }

  /// Those before `start` have gone.
  private var pins = ContiguousArray<Pin>()
  private var start = 0

  /// The sum of what is pinned.
  private(set) var tokens: Int128 = 0

  @inline(__always)
  var count: Int { pins.count - start }

  @inline(__always)
  var isEmpty: Bool { count == 0 }

  var last: Pin? { isEmpty ? nil : pins[pins.count - 1] }

  subscript(index: Int) -> Pin { pins[start + index] }

  /// The place of a reservation, nil where it is not pinned, or no longer.
  func index(of number: Number) -> Int? {
    pins[start...].firstIndex { $0.number == number }.map { $0 - start }
  }

  /// Pins a spend after `index` others.
  mutating func insert(_ pin: Pin, at index: Int) {
    pins.insert(pin, at: start + index)
    tokens += Int128(pin.tokens)
    constrain(upTo: index)
  }

  /// Takes out the first.
  mutating func popFirst() -> Pin {
    let pin = pins[start]
    start += 1
    tokens -= Int128(pin.tokens)
    // Moved seldom enough to cost nothing, and often enough to keep what is left together.
    if start == pins.count || start >= 64 && start >= pins.count / 2 {
      pins.removeSubrange(..<start)
      start = 0
    }
    return pin
  }

  /// Takes out one that is cancelled.
  mutating func remove(at index: Int) {
    let pin = pins.remove(at: start + index)
    tokens -= Int128(pin.tokens)
    constrain(upTo: index - 1)
  }

  /// Changes what is pinned there.
  mutating func change(at index: Int, _ body: (inout Pin) -> Void) {
    tokens -= Int128(self[index].tokens)
    body(&pins[start + index])
    tokens += Int128(self[index].tokens)
    constrain(upTo: index)
  }

  /// Notes that one will not be settled any more.
  mutating func close(at index: Int) {
    pins[start + index].isOpen = false
  }

  /// Changes all that is pinned, without changing the order.
  mutating func changeAll(_ body: (inout Pin) -> Void) {
    for index in pins.indices[start...] { body(&pins[index]) }
    constrain(upTo: count - 1, always: true)
  }

  /// Works out the latest times from there back to the first, as far as they change.
  private mutating func constrain(upTo last: Int, always: Bool = false) {
    var next = last + 1 < count ? self[last + 1].latest : .max
    for index in stride(from: last, through: 0, by: -1) {
      let pin = self[index]
      // It may lie before the time itself, where the burst or the rate has become too small for it:
      // nothing is spent then in which its tokens would have come.
      let latest = min(pin.limit, next).adding(-pin.cost)
      if latest == pin.latest, index < last, !always { return }
      pins[start + index].latest = latest
      next = latest
    }
  }
}
