/// Slots that are found by a key or by a number, and stay where they are.
///
/// The index from keys to numbers is in parts, none of which takes long to grow: a dictionary of a
/// million keys takes a tenth of a second, under the lock of the tool that has it; a part of one a
/// millisecond.
struct SlotTable<Slot: Sendable>: Sendable {
  /// How many parts the index has, as a power of two.
  private static var bits: Int { 6 }

  private var index = Array(repeating: [AnyKey: Int](), count: 1 << bits)
  private var slots = ChunkedArray<Slot>()
  /// One for each slot, nil where that is not in use.
  private var keys = ChunkedArray<AnyKey?>()
  private var free = ChunkedArray<Int>()

  /// What lies where no slot is in use: an optional one could not be changed in place.
  private let unused: Slot

  init(unused: Slot) {
    self.unused = unused
  }

  /// How many slots are in use.
  var count: Int { slots.count - free.count }

  /// The number of a key's slot, nil where it has none.
  func number(of key: AnyKey) -> Int? { index[part(of: key)][key] }

  /// How many parts `numbers(inPart:)` has.
  var partCount: Int { slots.chunkCount }

  /// The numbers of the slots that are in use, of one part of all numbers.
  func numbers(inPart part: Int) -> [Int] {
    slots.indices(inChunk: part).filter { keys[$0] != nil }
  }

  /// The key of a slot that is in use.
  func key(of number: Int) -> AnyKey { keys[number]! }

  subscript(number: Int) -> Slot {
    @inline(__always)
    _read { yield slots[number] }
    @inline(__always)
    _modify { yield &slots[number] }
  }

  /// Takes a slot into use; the key must have none.
  mutating func insert(_ slot: Slot, for key: AnyKey) -> Int {
    let number = free.popLast() ?? slots.count
    if number == slots.count {
      slots.append(slot)
      keys.append(key)
    } else {
      slots[number] = slot
      keys[number] = key
    }
    index[part(of: key)][key] = number
    return number
  }

  /// Gives a slot up; when the last one goes, so does all memory.
  mutating func remove(_ number: Int) {
    let key = key(of: number)
    index[part(of: key)][key] = nil
    slots[number] = unused
    keys[number] = nil
    free.append(number)
    if count == 0 { self = SlotTable(unused: unused) }
  }

  private func part(of key: AnyKey) -> Int {
    // The dictionaries use the low bits of what they make of it.
    Int(truncatingIfNeeded: UInt(bitPattern: key.hash) >> (UInt.bitWidth - Self.bits))
  }
}
