/// Pending reservations in order of time, as a pure value.
///
/// Each pin stores the latest time at which the bucket may be full before it, so that it and all
/// later pins keep their times. That time depends only on the pins, not on the level: spending
/// before a pin updates nothing here, and whether a spend fits before a pin is one comparison.
///
/// - Complexity: `insert` at the end is O(1) if it tightens no earlier pin, and `popFirst` is
///   amortised O(1); everything else is O(n).
struct PinnedSpends: Sendable {
  /// Identifies a reservation within its bucket.
  typealias Number = UInt64

  struct Pin {
    let number: Number
    var tokens: Int
    /// The cost in units.
    var cost: Int128
    /// The time at which it is spent.
    var at: Int128
    /// The latest time at which the bucket may be full after it.
    var limit: Int128
    /// The latest time at which the bucket may be full before it.
    fileprivate(set) var latest: Int128 = 0
    /// Whether it may still be settled after it is spent.
    var isOpen = true
  }

  /// Pins before index `start` are removed.
  private var pins = ContiguousArray<Pin>()
  private var start = 0

  /// The total tokens pinned.
  private(set) var tokens: Int128 = 0

  init() {}

  /// Pins in order of time.
  init(_ pins: [Pin]) {
    self.pins = ContiguousArray(pins)
    tokens = pins.reduce(0) { $0 + Int128($1.tokens) }
    constrain(upTo: count - 1, always: true)
  }

  @inline(__always)
  var count: Int { pins.count - start }

  @inline(__always)
  var isEmpty: Bool { count == 0 }

  /// How many pins there is memory for.
  var capacity: Int { pins.capacity }

  var last: Pin? { isEmpty ? nil : pins[pins.count - 1] }

  subscript(index: Int) -> Pin { pins[start + index] }

  /// The index of a reservation, nil if it is not or no longer pinned.
  func index(of number: Number) -> Int? {
    pins[start...].firstIndex { $0.number == number }.map { $0 - start }
  }

  /// Inserts a pin after `index` others.
  mutating func insert(_ pin: Pin, at index: Int) {
    pins.insert(pin, at: start + index)
    tokens += Int128(pin.tokens)
    constrain(upTo: index)
  }

  /// Removes the first pin.
  mutating func popFirst() -> Pin {
    let pin = pins[start]
    start += 1
    tokens -= Int128(pin.tokens)
    pins.removeUnused(before: &start)
    return pin
  }

  /// Removes a cancelled pin.
  mutating func remove(at index: Int) {
    let pin = pins.remove(at: start + index)
    pins.removeUnused(before: &start)
    tokens -= Int128(pin.tokens)
    constrain(upTo: index - 1)
  }

  /// Changes a pin in place.
  mutating func change(at index: Int, _ body: (inout Pin) -> Void) {
    tokens -= Int128(self[index].tokens)
    body(&pins[start + index])
    tokens += Int128(self[index].tokens)
    constrain(upTo: index)
  }

  /// Marks a reservation as no longer open to settlement.
  mutating func close(at index: Int) {
    pins[start + index].isOpen = false
  }

  /// Changes all pins without changing their order.
  mutating func changeAll(_ body: (inout Pin) -> Void) {
    for index in pins.indices[start...] { body(&pins[index]) }
    constrain(upTo: count - 1, always: true)
  }

  /// Recomputes `latest` from `last` back to the first pin, stopping when it no longer changes.
  private mutating func constrain(upTo last: Int, always: Bool = false) {
    var next = last + 1 < count ? self[last + 1].latest : .max
    for index in stride(from: last, through: 0, by: -1) {
      let pin = self[index]
      // This may lie before the pin's own time if the burst or the rate has become too small for
      // it: then nothing is spent while its tokens accrue.
      let latest = min(pin.limit, next).adding(-pin.cost)
      if latest == pin.latest, index < last, !always { return }
      pins[start + index].latest = latest
      next = latest
    }
  }
}
