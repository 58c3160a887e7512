/// Slots without gaps, found by key or by number.
///
/// The last slot takes the number of a removed one, so memory is proportional to the slots in use.
struct SlotTable<Slot: Sendable>: Sendable {
  private var index = SlotIndex()
  private var slots = ChunkedArray<Slot>()
  /// The key of each slot.
  private var keys = ChunkedArray<AnyKey>()

  var count: Int { slots.count }

  /// The number of slots that there is memory for.
  var capacity: Int { max(slots.capacity, keys.capacity) }

  /// The number of a key's slot; nil if it has none.
  func number(of key: AnyKey) -> Int? { index.number(hash: key.hash) { keys[$0] == key } }

  /// The number of parts for `numbers(inPart:)`.
  var partCount: Int { slots.chunkCount }

  /// The slot numbers in a part.
  func numbers(inPart part: Int) -> Range<Int> { slots.indices(inChunk: part) }

  func key(of number: Int) -> AnyKey { keys[number] }

  subscript(number: Int) -> Slot {
    @inline(__always)
    _read { yield slots[number] }
    @inline(__always)
    _modify { yield &slots[number] }
  }

  /// Adds a slot for a key that has none, and returns its number.
  mutating func append(_ slot: Slot, for key: AnyKey) -> Int {
    let number = count
    slots.append(slot)
    keys.append(key)
    index.insert(number, hash: key.hash) { keys[$0].hash }
    return number
  }

  /// Removes a slot.
  ///
  /// - Returns: Whether another slot now has the number.
  mutating func remove(_ number: Int) -> Bool {
    index.remove(number, hash: keys[number].hash) { keys[$0].hash }
    guard let slot = slots.popLast(), let key = keys.popLast(), number < count else { return false }
    index.replace(count, by: number, hash: key.hash)
    slots[number] = slot
    keys[number] = key
    return true
  }
}
