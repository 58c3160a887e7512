/// The slots of a tool's keys, found by hash: linear hashing with chains (Litwin, 1980).
///
/// There are as many buckets as keys. Each new key splits one of them in two, and each that leaves
/// joins two, so no call moves more than a bucket: a table that is moved as a whole would be a
/// pause for every caller.
///
/// - Complexity: O(1) on the average; O(n) if all keys have the same hash.
final class SlotTable: @unchecked Sendable {
  // Accessed only under the lock of the tool, which makes a dynamic exclusivity check redundant.
  @safe @exclusivity(unchecked) private var buckets = ChunkedArray<KeySlot?>()

  var count: Int { buckets.count }

  /// The slots in no order.
  var all: [KeySlot] {
    (0..<count).flatMap { index in
      sequence(state: buckets[index]) { slot in
        defer { slot = slot?.next }
        return slot
      }
    }
  }

  subscript(key: AnyKey) -> KeySlot? {
    guard count > 0 else { return nil }
    var slot = buckets[bucket(of: key)]
    while let found = slot, !found.has(key) { slot = found.next }
    return slot
  }

  /// Adds the slot of a key that has none.
  func insert(_ slot: KeySlot) {
    // The new bucket was a part of the one whose index lacks its highest bit.
    let last = count
    let origin = last & ~(1 << (Int.bitWidth - 1 - last.leadingZeroBitCount))
    buckets.append(nil)
    if last > 0 { Self.dissolve(buckets[origin].take(), link) }
    link(slot)
  }

  func remove(_ slot: KeySlot) {
    guard unlink(slot) else { return }
    Self.dissolve(buckets.popLast() ?? nil, link)
    if count == 0, buckets.capacity > 64 { buckets = ChunkedArray() }
  }

  /// The index of a key's bucket: as many low bits of the hash as there are buckets for.
  private func bucket(of key: AnyKey) -> Int {
    let mask = UInt.max >> (count - 1).leadingZeroBitCount
    let index = UInt(key.hash) & mask
    return Int(index < count ? index : index & (mask >> 1))
  }

  private func link(_ slot: KeySlot) {
    let bucket = bucket(of: slot.key)
    slot.next = buckets[bucket]
    buckets[bucket] = slot
  }

  private func unlink(_ slot: KeySlot) -> Bool {
    guard count > 0 else { return false }
    let bucket = bucket(of: slot.key)
    guard buckets[bucket] !== slot else {
      buckets[bucket] = slot.next.take()
      return true
    }
    var before = buckets[bucket]
    while let found = before, found.next !== slot { before = found.next }
    before?.next = slot.next.take()
    return before != nil
  }

  /// Hands out the slots of a chain one by one.
  private static func dissolve(_ chain: KeySlot?, _ body: (KeySlot) -> Void) {
    var rest = chain
    while let slot = rest {
      rest = slot.next.take()
      body(slot)
    }
  }
}
