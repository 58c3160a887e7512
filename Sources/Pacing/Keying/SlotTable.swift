/// Slots that are found by a key or by a number, and stay where they are.
///
/// The index from keys to numbers is in parts, none of which takes long to grow: a dictionary of a
/// million keys takes a tenth of a second, under the lock of the tool that has it; a part of one a
/// millisecond.
struct SlotTable<Slot: Sendable>: Sendable {
  /// How many parts the index has, as a power of two.
  private static var bits: Int { 6 }

  private var index = Array(repeating: [AnyKey: Int](), count: 1 << bits)
  private var slots = ChunkedArray<(key: AnyKey, slot: Slot)?>()
  private var free = ChunkedArray<Int>()

  /// How many slots are in use.
  var count: Int { slots.count - free.count }

  /// The number of a key's slot, nil where it has none.
  func number(of key: AnyKey) -> Int? { index[part(of: key)][key] }

  /// How many parts `numbers(inPart:)` has.
  var partCount: Int { slots.chunkCount }

  /// The numbers of the slots that are in use, of one part of all numbers.
  func numbers(inPart part: Int) -> [Int] {
    slots.indices(inChunk: part).filter { slots[$0] != nil }
  }

  /// The key of a slot that is in use.
  func key(of number: Int) -> AnyKey { slots[number]!.key }

  subscript(number: Int) -> Slot {
    get { slots[number]!.slot }
    set { slots[number]!.slot = newValue }
  }

  /// Takes a slot into use; the key must have none.
  mutating func insert(_ slot: Slot, for key: AnyKey) -> Int {
    let number = free.popLast() ?? slots.count
    if number == slots.count { slots.append((key, slot)) } else { slots[number] = (key, slot) }
    index[part(of: key)][key] = number
    return number
  }

  /// Gives a slot up; when the last one goes, so does all memory.
  mutating func remove(_ number: Int) {
    let key = key(of: number)
    index[part(of: key)][key] = nil
    slots[number] = nil
    free.append(number)
    if count == 0 { self = SlotTable() }
  }

  private func part(of key: AnyKey) -> Int {
    // The dictionaries use the low bits of what they make of it.
    Int(truncatingIfNeeded: UInt(bitPattern: key.hash) >> (UInt.bitWidth - Self.bits))
  }
}
