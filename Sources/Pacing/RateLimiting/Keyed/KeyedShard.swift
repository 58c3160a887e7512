/// One of the parts of a keyed limiter: a lock and the keys that fall to it.
final class KeyedShard<Key: Hashable & Sendable>: Sendable {
  struct State {
    var buckets: KeyedBuckets
    /// One for each entry, in their order.
    private(set) var keys = ContiguousArray<Key>()
    /// Those that were dropped, to be released outside the lock.
    private var dropped = ContiguousArray<Key>()

    init(_ buckets: KeyedBuckets) {
      self.buckets = buckets
    }
  }

  let state: Locked<State>

  init(maximum: Int, whenFull: FullTable, at now: PacingInstant) {
    state = Locked(State(KeyedBuckets(maximum: maximum, whenFull: whenFull, at: now)))
  }

  static func hash(_ key: Key) -> UInt64 { UInt64(bitPattern: Int64(key.hashValue)) }
}

extension KeyedShard.State {
  typealias Standing = KeyedBuckets.Standing

  /// The entry of a key.
  @inline(__always)
  func find(_ key: Key, _ hash: UInt64) -> Int? {
    buckets.table.find(hash) { keys[$0] == key }
  }

  /// Finds a key's bucket, or room for it.
  @inline(__always)
  mutating func standing(_ key: Key, _ hash: UInt64) -> Standing {
    find(key, hash).map(Standing.known) ?? (makeRoom(for: 1) ? .new : .stranger)
  }

  /// Makes room for new entries.
  ///
  /// - Returns: Whether there is room.
  mutating func makeRoom(for new: Int) -> Bool {
    let now = buckets.latest
    if buckets.table.count + new > buckets.table.capacity, buckets.table.mayShed(at: now) {
      let old = keys
      let living = buckets.table.shed(for: new, at: now) { KeyedShard.hash(old[$0]) }
      keys = []
      keys.reserveCapacity(buckets.table.capacity)
      for entry in living { keys.append(old[entry]) }
      dropped = dropped.isEmpty ? old : dropped + old
    }
    return buckets.table.count + new <= buckets.table.capacity
  }

  /// Keeps the key whose bucket has become an entry.
  @inline(__always)
  mutating func keep(_ key: Key) {
    if buckets.table.count > keys.count { keys.append(key) }
  }

  /// Takes the keys that were dropped, to be released outside the lock.
  @inline(__always)
  mutating func takeDropped() -> ContiguousArray<Key> {
    guard !dropped.isEmpty else { return [] }
    defer { dropped = [] }
    return dropped
  }
}
