import Synchronization

/// A shard of a keyed limiter: a lock and the keys whose hashes fall to it.
///
/// A key with waiters or a pause is not in the table: it has a complete bucket in `queues`, and its
/// room in the table is reserved.
final class KeyedShard<Key: Hashable & Sendable>: Sendable {
  typealias Bucket = BucketState<Turn.Request>

  /// Whose bucket a queue is for.
  enum Owner: Hashable {
    case key(Key)
    /// The new keys that share a bucket under `FullTable.share`.
    case shared
  }

  struct State {
    var buckets: KeyedBuckets
    /// Whether all keys have the same quota at all times.
    let hasOneQuota: Bool
    /// The quotas of the entries, if they may differ.
    var quotas = QuotaList()
    /// The key of each entry, in the order of entries.
    var keys = ContiguousArray<Key>()
    /// The buckets with waiters or a pause.
    var queues = [Owner: KeyQueue]()
    /// Whether there is one, or a newcomer: asking the dictionaries on each call would need their
    /// type metadata.
    var hasQueues = false
    /// The number of keys that have one.
    var queuedKeys = 0
    /// The wake-ups of the queues, for a first waiter or the end of a pause.
    ///
    /// They hold the owners in `queues`, so that no key is released with a wake-up.
    var wakes = DeadlineQueue<Owner>()
    var timer = TimerEntry()
    var decided = DecidedRequests<Turn.Request>()
    var statistics = LimitStatistics()
    /// The number of keys evicted before their buckets were full.
    var forgotten = 0
    /// The number of waiters.
    var waiting = 0
    /// The number of waiters of all shards together, without streams.
    let total: WaitingCount
    /// The number of the first waiter of the next queue.
    var firstNumber: UInt64 = 0
    var isClosed = false
    /// The sleeps of streams whose keys a full table refuses.
    var newcomers = [ObjectIdentifier: OneShot<SleepEnd>]()
    /// Those to end outside the lock.
    var admitted = [OneShot<SleepEnd>]()
    /// Keys to release outside the lock.
    // Nil instead of empty, because checking an array for emptiness on each call would need its
    // runtime type metadata.
    private var dropped: ContiguousArray<Key>?

    init(_ buckets: KeyedBuckets, hasOneQuota: Bool, total: WaitingCount) {
      self.buckets = buckets
      self.hasOneQuota = hasOneQuota
      self.total = total
    }
  }

  /// The bucket of a key with waiters or a pause.
  struct KeyQueue {
    var bucket: Bucket
    var quota: Quota
    /// The number of its waiters that are counted.
    var counted = 0
    /// The number of those that are counted towards the bound.
    var bound = 0
    var wake: DeadlineQueue<Owner>.Handle?
    var deadline = PacingInstant.distantFuture
  }

  let service: TimerService
  let policy: QueuePolicy
  let state: Locked<State>
  /// The nanoseconds of the earliest wake-up, for a look without the lock.
  let earliest = Atomic(PacingInstant.distantFuture.nanoseconds)

  init(
    maximum: Int, whenFull: FullTable, hasOneQuota: Bool, queue: QueuePolicy,
    total: WaitingCount, service: TimerService
  ) {
    self.service = service
    policy = queue
    let buckets = KeyedBuckets(maximum: maximum, whenFull: whenFull, at: service.now)
    state = Locked(State(buckets, hasOneQuota: hasOneQuota, total: total))
  }
}

extension Hashable {
  /// The hash by which a keyed limiter finds a key.
  var keyHash: UInt64 { UInt64(bitPattern: Int64(hashValue)) }
}

extension KeyedShard.State {
  typealias Slot = KeyedBuckets.Slot
  typealias Owner = KeyedShard.Owner

  @inline(__always)
  func find(_ key: Key, _ hash: UInt64) -> Int? {
    buckets.table.find(hash) { keys[$0] == key }
  }

  /// Finds a key's bucket, or room for it.
  @inline(__always)
  mutating func slot(_ key: Key, _ hash: UInt64) -> Slot {
    find(key, hash).map(Slot.known) ?? newSlot(hash)
  }

  /// Finds a key's bucket under its quota, or room for it.
  @inline(__always)
  mutating func slot(_ key: Key, _ hash: UInt64, _ quota: Quota) -> Slot {
    let slot = slot(key, hash)
    if !hasOneQuota { apply(quota, to: slot) }
    return slot
  }

  private mutating func newSlot(_ hash: UInt64) -> Slot {
    grow(for: 1)
    let slot = makeRoom(for: 1, sparing: [])
    guard slot == .new, let crowd = buckets.table.crowd(hash) else { return slot }
    let roomAt = crowd.map { buckets.table[$0].fullAt }.min() ?? buckets.latest
    let mayEvict = buckets.whenFull == .forget || roomAt <= buckets.latest
    return mayEvict ? .forgetting : .stranger(roomAt)
  }

  /// Grows the table for new entries, up to its maximum.
  mutating func grow(for new: Int) {
    let wanted = buckets.table.count + queuedKeys + new
    if wanted > buckets.table.capacity, buckets.table.capacity < buckets.table.maximum {
      rebuild(for: new + queuedKeys)
    }
  }

  /// Drops entries whose buckets are full, and resizes the table for those that stay.
  mutating func rebuild(for new: Int) {
    let old = keys
    let living = buckets.table.shed(for: new, at: buckets.latest) { old[$0].keyHash }
    keys = []
    keys.reserveCapacity(buckets.table.capacity)
    for entry in living { keys.append(old[entry]) }
    dropped = (dropped ?? []) + old
  }

  /// Makes room for new entries in a table at its maximum, without dropping spared ones.
  ///
  /// Entries may move.
  mutating func makeRoom(for new: Int, sparing spared: [Int]) -> Slot {
    let missing = buckets.table.count + queuedKeys + new - buckets.table.capacity
    guard missing > 0 else { return .new }
    guard buckets.whenFull != .forget else {
      return missing <= buckets.table.count - spared.count ? .forgetting : .stranger(nil)
    }
    guard let roomAt = buckets.table.roomAt(for: missing, sparing: spared) else {
      return .stranger(nil)
    }
    guard roomAt <= buckets.latest else { return .stranger(roomAt) }
    let spared = spared.map { keys[$0] }
    for _ in 0..<missing {
      let stay = spared.compactMap { find($0, $0.keyHash) }
      guard let full = buckets.table.firstFullEntry(at: buckets.latest, sparing: stay) else {
        break
      }
      remove(full)
    }
    return .new
  }

  /// Room for a new key by dropping one whose bucket is full, rather than one that is forgotten.
  mutating func roomWithoutForgetting(_ slot: Slot, _ hash: UInt64) -> Slot {
    guard slot == .forgetting, buckets.table.crowd(hash) == nil,
      let roomAt = buckets.table.roomAt(for: 1, sparing: []), roomAt <= buckets.latest,
      let full = buckets.table.firstFullEntry(at: buckets.latest, sparing: [])
    else { return slot }
    remove(full)
    return .new
  }

  /// Charges a key's bucket; spared keys are not evicted to make room.
  @inline(__always)
  mutating func charge(
    _ cost: Int, to bucket: BucketLevel, of key: Key, _ quota: Quota, _ slot: Slot, hash: UInt64,
    sparing spared: [Key] = []
  ) {
    var bucket = bucket
    bucket.spend(bucket.scale.units(cost), at: bucket.scale.time(buckets.latest))
    switch slot {
    case .known(let entry): buckets.table[entry] = bucket.stamp
    case .new, .forgetting: insert(key, bucket.stamp, quota, hash: hash, sparing: spared)
    case .stranger: buckets.share(bucket.stamp)
    }
  }

  /// Adds a key for which there is room, or which evicts another.
  mutating func insert(
    _ key: Key, _ stamp: KeyStamp, _ quota: Quota, hash: UInt64, sparing spared: [Key]
  ) {
    let quota = number(of: quota)
    let stay = spared.isEmpty ? [] : spared.compactMap { find($0, $0.keyHash) }
    if buckets.table.count + queuedKeys >= buckets.table.capacity {
      guard let victim = buckets.table.victim(sparing: stay) else { return }
      forget(victim)
    }
    guard !buckets.table.append(stamp, quota: quota, hash: hash) else { return keys.append(key) }
    let crowd = buckets.table.crowd(hash)?.filter { !stay.contains($0) }
    guard let victim = crowd?.min(by: { buckets.table[$0].isBefore(buckets.table[$1]) }) else {
      return
    }
    if !buckets.table[victim].isFull(at: buckets.latest) { forgotten += 1 }
    buckets.table.replace(victim, keys[victim].keyHash, with: stamp, quota: quota, hash: hash)
    drop(keys[victim])
    keys[victim] = key
  }

  private mutating func forget(_ entry: Int) {
    if !buckets.table[entry].isFull(at: buckets.latest) { forgotten += 1 }
    remove(entry)
  }

  /// Removes an entry; the last one takes its index.
  mutating func remove(_ entry: Int) {
    Self.unlink(entry, from: &buckets.table, keys)
    keys.swapAt(entry, keys.count - 1)
    drop(keys.removeLast())
  }

  private static func unlink(
    _ entry: Int, from table: inout BucketTable, _ keys: ContiguousArray<Key>
  ) {
    table.remove(entry) { keys[$0].keyHash }
  }

  /// Removes an entry whose bucket has become full by a reset.
  mutating func forgetFull(_ entry: Int) {
    remove(entry)
    shrink(to: buckets.table.count)
    admitNewcomers()
  }

  /// Shrinks the table to the live keys if it has room for more than three times as many.
  mutating func sweep() {
    guard buckets.table.capacity > 3 * BucketTable.capacity(for: 0) else { return }
    shrink(to: buckets.table.livingCount(at: buckets.latest))
  }

  private mutating func shrink(to count: Int) {
    if buckets.table.capacity > 3 * max(count + queuedKeys, BucketTable.capacity(for: 0)) {
      rebuild(for: queuedKeys)
    }
  }

  /// Keeps a key until the lock is released.
  mutating func drop(_ key: Key) {
    if dropped == nil { dropped = [key] } else { dropped?.append(key) }
  }

  /// Takes the dropped keys, to be released outside the lock; nil if there are none.
  @inline(__always)
  mutating func takeDropped() -> ContiguousArray<Key>? {
    dropped == nil ? nil : dropped.take()
  }
}
