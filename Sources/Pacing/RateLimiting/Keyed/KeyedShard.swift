/// One of the parts of a keyed limiter: a lock and the keys that fall to it.
final class KeyedShard<Key: Hashable & Sendable>: Sendable {
  struct State {
    var buckets: KeyedBuckets
    /// One for each entry, in their order.
    private(set) var keys = ContiguousArray<Key>()
    /// Those that were dropped, to be released outside the lock.
    // Nil, not empty: to ask an array at each call whether it is would take the runtime's word on
    // its type.
    private var dropped: ContiguousArray<Key>?

    init(_ buckets: KeyedBuckets) {
      self.buckets = buckets
    }
  }

  let state: Locked<State>

  init(maximum: Int, whenFull: FullTable, at now: PacingInstant) {
    state = Locked(State(KeyedBuckets(maximum: maximum, whenFull: whenFull, at: now)))
  }
}

extension Hashable {
  /// The hash by which a keyed limiter finds a key.
  var keyHash: UInt64 { UInt64(bitPattern: Int64(hashValue)) }
}

extension KeyedShard.State {
  typealias Slot = KeyedBuckets.Slot

  /// The entry of a key.
  @inline(__always)
  func find(_ key: Key, _ hash: UInt64) -> Int? {
    buckets.table.find(hash) { keys[$0] == key }
  }

  /// Finds a key's bucket, or room for it.
  @inline(__always)
  mutating func slot(_ key: Key, _ hash: UInt64) -> Slot {
    find(key, hash).map(Slot.known) ?? (makeRoom(for: 1) ? .new : .stranger)
  }

  /// Makes room for new entries.
  ///
  /// - Returns: Whether there is room.
  mutating func makeRoom(for new: Int) -> Bool {
    let now = buckets.latest
    if buckets.table.count + new > buckets.table.capacity, buckets.table.mayShed(at: now) {
      let old = keys
      let living = buckets.table.shed(for: new, at: now) { old[$0].keyHash }
      keys = []
      keys.reserveCapacity(buckets.table.capacity)
      for entry in living { keys.append(old[entry]) }
      dropped = (dropped ?? []) + old
    }
    return buckets.table.count + new <= buckets.table.capacity
  }

  /// Keeps the key whose bucket has become an entry.
  @inline(__always)
  mutating func keep(_ key: Key, _ slot: Slot) {
    if slot == .new, buckets.table.count > keys.count { keys.append(key) }
  }

  /// Takes the keys that were dropped, to be released outside the lock; nil where there are none.
  @inline(__always)
  mutating func takeDropped() -> ContiguousArray<Key>? {
    dropped == nil ? nil : dropped.take()
  }
}
