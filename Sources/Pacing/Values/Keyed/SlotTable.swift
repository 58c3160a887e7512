/// Slots that are found by key or by number, and have no gaps.
///
/// The last slot takes the number of one that is removed. So memory follows the slots in use.
struct SlotTable<Slot: Sendable>: Sendable {
  private var index = SlotIndex()
  private var slots = ChunkedArray<Slot>()
  /// The key of each slot.
  private var keys = ChunkedArray<AnyKey>()

  var count: Int { slots.count }

  /// The number of a key's slot, nil if it has none.
  func number(of key: AnyKey) -> Int? { index.number(hash: key.hash) { keys[$0] == key } }

  /// How many parts `numbers(inPart:)` has.
  var partCount: Int { slots.chunkCount }

  /// A part of the numbers.
  func numbers(inPart part: Int) -> Range<Int> { slots.indices(inChunk: part) }

  /// The key of a slot.
  func key(of number: Int) -> AnyKey { keys[number] }

  subscript(number: Int) -> Slot {
    @inline(__always)
    _read { yield slots[number] }
    @inline(__always)
    _modify { yield &slots[number] }
  }

  /// Adds a slot, and returns its number; the key must have none.
  mutating func append(_ slot: Slot, for key: AnyKey) -> Int {
    let number = count
    slots.append(slot)
    keys.append(key)
    index.insert(number, hash: key.hash) { keys[$0].hash }
    return number
  }

  /// Removes a slot.
  ///
  /// - Returns: Whether another slot has the number now.
  mutating func remove(_ number: Int) -> Bool {
    index.remove(number, hash: keys[number].hash) { keys[$0].hash }
    guard let slot = slots.popLast(), let key = keys.popLast(), number < count else { return false }
    index.replace(count, by: number, hash: key.hash)
    slots[number] = slot
    keys[number] = key
    return true
  }
}
