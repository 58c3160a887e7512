/// A shard of a keyed limiter: a lock and the keys whose hashes fall to it.
///
/// A key is a stamp in the table. One that waits or is paused has a real queue instead, for which
/// its room in the table is reserved; when nothing waits any more, the queue ends and is a stamp
/// again. A caller that meets a queue that has ended looks its key up again.
///
/// ## Concurrency
/// A thread that holds the shard's lock may take that of a queue, never the other way round.
final class KeyedShard<Key: Hashable & Sendable>: Sendable {
  /// A key that has a queue, which retains the place; both release each other when the queue ends.
  final class Place: @unchecked Sendable {
    // Guarded by the shard's lock.
    @exclusivity(unchecked) var key: Key?
    @exclusivity(unchecked) var queue: LimitQueue?

    init(_ key: Key) {
      self.key = key
    }
  }

  struct State {
    var table: BucketTable
    let whenFull: FullTable
    var latest: PacingInstant
    /// The key of each entry, in the order of entries.
    var keys = ContiguousArray<Key>()
    var places = [Key: Place]()
    /// Whether a key has a queue, or the shard is closed: asking the dictionary on each call would
    /// need its type metadata.
    var isSpecial = false
    var isClosed = false
    var statistics = LimitStatistics()
    /// The number of keys evicted before their buckets were full.
    var forgotten = 0
    /// Keys to release outside the lock.
    // Nil instead of empty, because checking an array for emptiness on each call would need its
    // runtime type metadata.
    private var dropped: ContiguousArray<Key>?

    init(maximum: Int, whenFull: FullTable, at now: PacingInstant) {
      table = BucketTable(maximum: maximum)
      self.whenFull = whenFull
      latest = now
    }
  }

  let service: TimerService
  let policy: QueuePolicy
  let quota: @Sendable (Key) -> Quota
  let state: Locked<State>

  init(
    maximum: Int, whenFull: FullTable, queue: QueuePolicy, service: TimerService,
    quota: @escaping @Sendable (Key) -> Quota
  ) {
    self.service = service
    policy = queue
    self.quota = quota
    state = Locked(State(maximum: maximum, whenFull: whenFull, at: service.now))
  }
}

extension Hashable {
  /// The hash by which a keyed limiter finds a key.
  var keyHash: UInt64 { UInt64(bitPattern: Int64(hashValue)) }
}

// MARK: Calls

extension KeyedShard {
  /// Queries or changes a key's bucket, in the table or in its queue.
  ///
  /// `closed` is the answer of a closed shard, and `counts` if that is a refusal.
  @inline(__always)
  func ask<Answer: Sendable>(
    _ key: Key, _ hash: UInt64, at now: PacingInstant, closed: Answer, counts: Bool = false,
    _ table: (inout State, Quota, TableSlot) -> Answer,
    queued: (inout QueueContents) -> Answer
  ) -> Answer {
    let quota = quota(key)
    while true {
      // Dropped keys are released after the lock.
      var dropped: ContiguousArray<Key>?
      var queue: LimitQueue?
      let answer = state.withLock { state -> Answer? in
        state.advance(to: now)
        if state.isSpecial {
          guard !state.isClosed else {
            if counts { state.statistics.note(false, 0) }
            return closed
          }
          queue = state.places[key]?.queue
          guard queue == nil else { return nil }
        }
        let answer = table(&state, quota, state.slot(key, hash))
        dropped = state.takeDropped()
        return answer
      }
      if let dropped { withExtendedLifetime(dropped) {} }
      if let answer { return answer }
      if let queue, let answer = queue.attempt({ $0.adopt(quota, queued) }) { return answer }
    }
  }

  /// Changes a key's bucket without asking what it holds.
  ///
  /// - Returns: Whether it was changed; false if there is no room for a new key that owes
  ///   something.
  func change(
    _ key: Key, _ cost: Int, _ body: (inout BucketLevel, PacingInstant) -> Void,
    queued: (inout QueueContents) -> Void
  ) -> Bool {
    ConfigurationError.requireCost(cost)
    return ask(key, key.keyHash, at: service.now, closed: false) { state, quota, slot in
      let now = state.latest
      return state.change(key, quota, slot) { body(&$0, now) }
    } queued: {
      queued(&$0)
      return true
    }
  }

  /// As `ask`, for a change that needs a queue: a wait or a pause.
  ///
  /// The body for the table returns nil to make a queue of the bucket, for which there must be
  /// room; the one for the queue returns nil if that has ended.
  func askQueue<Answer: Sendable>(
    _ key: Key, at now: PacingInstant, closed: Answer, counts: Bool = false,
    _ table: (inout State, Quota, TableSlot) -> Answer?,
    queued: (LimitQueue, Quota) -> Answer?
  ) -> Answer {
    let (quota, hash) = (quota(key), key.keyHash)
    while true {
      var dropped: ContiguousArray<Key>?
      var queue: LimitQueue?
      let answer = state.withLock { state -> Answer? in
        state.advance(to: now)
        guard !state.isClosed else {
          if counts { state.statistics.note(false, 0) }
          return closed
        }
        if state.isSpecial { queue = state.places[key]?.queue }
        guard queue == nil else { return nil }
        let answer = table(&state, quota, state.slot(key, hash))
        if answer == nil { queue = makeQueue(key, hash, quota, &state) }
        dropped = state.takeDropped()
        return answer
      }
      if let dropped { withExtendedLifetime(dropped) {} }
      if let answer = answer ?? queue.flatMap({ queued($0, quota) }) { return answer }
    }
  }

  /// Takes costs for a caller, or lets it wait in its key's queue.
  func enter(
    _ cost: Int, for key: Key, within timeout: Nanoseconds?, isExempt: Bool = false,
    isBound: Bool = false, _ tell: () -> @Sendable (LimitWaiter.Outcome) -> Void
  ) -> LimitQueue.Entrance {
    askQueue(key, at: service.now, closed: .decided(.refused(.closed)), counts: true) {
      state, quota, slot in
      let bucket = state.table.bucket(quota, slot)
      let cost = isExempt ? min(cost, quota.burst) : cost
      return state.enter(
        cost, bucket, of: key, slot, within: timeout, isExempt: isExempt, policy
      ).map(LimitQueue.Entrance.decided)
    } queued: {
      $0.enter(
        Costs(cost), within: timeout, isExempt: isExempt, isBound: isBound, adopting: $1, tell)
    }
  }

  /// Shrinks the table if it has far more room than keys.
  func sweep(at now: PacingInstant) {
    let dropped = state.withLock { state in
      state.advance(to: now)
      state.sweep()
      return state.takeDropped()
    }
    withExtendedLifetime(dropped) {}
  }

  /// Takes costs for a task, or waits for them until it is cancelled.
  func take(
    _ cost: Int, for key: Key, within timeout: Nanoseconds?, isExempt: Bool = false
  ) async -> LimitWaiter.Outcome {
    await LimitQueue.take(countedBy: service) {
      enter(cost, for: key, within: timeout, isExempt: isExempt, isBound: !isExempt, $0)
    }
  }

  /// Takes a cost for a stream, nil at its end: if a full table refuses the key, too.
  func takeNext(_ cost: Int, for key: Key) async -> PacingInstant? {
    await LimitQueue.takeNext { await take(cost, for: key, within: nil, isExempt: true) }
  }

  /// Closes the shard; its queues end with it, so that a caller that has met one finds it closed.
  func close(_ outcome: LimitWaiter.Outcome) {
    let ended = state.withLock { state in
      state.isClosed = true
      state.isSpecial = true
      return state.takePlaces().compactMap { place -> (LimitQueue, LimitQueue.Duties)? in
        guard let queue = place.queue.take(), let (left, duties) = queue.hold({ $0.end(outcome) })
        else { return nil }
        state.statistics.add(left)
        return (queue, duties)
      }
    }
    for (queue, duties) in ended { queue.fulfil(duties) }
  }

  /// Adds up what was decided: a queue that ends meanwhile is counted once, because it ends under
  /// the shard's lock.
  func add(to sum: inout KeyedLimitStatistics) {
    let (decided, forgotten, keys, waiting) = state.withLock { state in
      var (decided, waiting) = (state.statistics, 0)
      for place in state.places.values {
        guard let (own, count) = place.queue?.counts else { continue }
        decided.add(own)
        waiting += count
      }
      return (decided, state.forgotten, state.keyCount, waiting)
    }
    sum.granted += decided.granted
    sum.refused += decided.refused
    sum.withdrawn += decided.withdrawn
    sum.forgotten += forgotten
    sum.keys += keys
    sum.waiting += waiting
  }

  // MARK: Queues

  /// Makes the queue of a key.
  private func makeQueue(
    _ key: Key, _ hash: UInt64, _ quota: Quota, _ state: inout State
  ) -> LimitQueue {
    let bucket = state.table.bucket(quota, state.slot(key, hash))
    if let entry = state.find(key, hash) { state.remove(entry) }
    let place = Place(key)
    let queue = LimitQueue(policy, service: service) { [weak self] queue, isOnTimer in
      self?.end(place, queue, isOnTimer: isOnTimer)
    } _: { now in
      LimitState(bucket, at: now)
    }
    place.queue = queue
    state.places[key] = place
    state.isSpecial = true
    return queue
  }

  /// Ends the queue of a key if nothing has come meanwhile.
  private func end(_ place: Place, _ queue: LimitQueue, isOnTimer: Bool) {
    let dropped = state.withLock { state -> ContiguousArray<Key>? in
      guard let key = place.key, place.queue === queue, let left = queue.end() else { return nil }
      state.end(place, of: key, left.stamp)
      state.statistics.add(left.statistics)
      return state.takeDropped()
    }
    guard let dropped, !_isPOD(Key.self) else { return }
    // The deinit of a key is the user's code, which no timer waits for.
    let release = DeferredCalls([WorkItem { [dropped] in withExtendedLifetime(dropped) {} }])
    if isOnTimer { service.perform { release.make() } } else { release.make() }
  }
}

extension KeyedShard.State {
  fileprivate mutating func takePlaces() -> [KeyedShard.Place] {
    defer { places = [:] }
    return Array(places.values)
  }

  /// Keeps the level of a key whose queue has ended.
  fileprivate mutating func end(_ place: KeyedShard.Place, of key: Key, _ stamp: KeyStamp) {
    if let index = places.index(forKey: key) { drop(places.remove(at: index).key) }
    if places.isEmpty {
      places = [:]
      isSpecial = isClosed
    }
    place.key = nil
    place.queue = nil
    if stamp.isFull(at: latest) {
      drop(key)
    } else {
      insert(key, stamp, hash: key.keyHash, sparing: [])
    }
  }

  /// Decides a caller by its bucket in the table; nil if it must wait, for which there is room.
  fileprivate mutating func enter(
    _ cost: Int, _ bucket: BucketLevel, of key: Key, _ slot: TableSlot,
    within timeout: Nanoseconds?, isExempt: Bool, _ policy: QueuePolicy
  ) -> LimitWaiter.Outcome? {
    var bucket = bucket
    let decision = table.request(cost, &bucket, slot, at: latest)
    if decision.isAllowed {
      if cost > 0 { store(bucket.stamp, of: key, slot) }
      statistics.note(true, cost)
      return .granted(latest)
    }
    let wait = decision.retryAfter ?? .zero
    let isLate = timeout.map { $0 <= 0 || Duration(nanoseconds: $0) < wait } ?? false
    let error: AcquireError
    if !decision.isPossible {
      error = .exceedsBurst(cost: cost, burst: bucket.scale.burst)
    } else if isLate || decision.refusedBy != nil {
      error = .deadline(neededWait: decision.retryAfter)
    } else if policy.maximumWaiters == 0, !isExempt {
      error = .queueIsFull(maximumWaiters: 0)
    } else {
      return nil
    }
    statistics.note(false, 0)
    return .refused(error)
  }
}

// MARK: The table

extension KeyedShard.State {
  /// Clamps the time.
  @inline(__always)
  mutating func advance(to now: PacingInstant) {
    if latest < now { latest = now }
  }

  /// The number of keys in memory.
  var keyCount: Int { keys.count + places.count }

  @inline(__always)
  func find(_ key: Key, _ hash: UInt64) -> Int? {
    table.find(hash) { keys[$0] == key }
  }

  /// Finds a key's bucket, or room for it.
  @inline(__always)
  mutating func slot(_ key: Key, _ hash: UInt64) -> TableSlot {
    find(key, hash).map(TableSlot.known) ?? newSlot(hash)
  }

  private mutating func newSlot(_ hash: UInt64) -> TableSlot {
    grow(for: 1)
    let slot = makeRoom(for: 1, sparing: [])
    guard slot == .new, let crowd = table.crowd(hash) else { return slot }
    let roomAt = crowd.map { table[$0].fullAt }.min() ?? latest
    return whenFull == .forget || roomAt <= latest ? .forgetting : .refused(roomAt)
  }

  /// Grows the table for new entries, up to its maximum.
  mutating func grow(for new: Int) {
    let wanted = table.count + places.count + new
    if wanted > table.capacity, table.capacity < table.maximum { rebuild(for: new + places.count) }
  }

  /// Drops entries whose buckets are full, and resizes the table for those that stay.
  private mutating func rebuild(for new: Int) {
    let old = keys
    let living = table.shed(for: new, at: latest) { old[$0].keyHash }
    keys = []
    keys.reserveCapacity(table.capacity)
    for entry in living { keys.append(old[entry]) }
    dropped = (dropped ?? []) + old
  }

  /// Makes room for new entries in a table at its maximum, without dropping spared ones.
  ///
  /// Entries may move.
  mutating func makeRoom(for new: Int, sparing spared: [Int]) -> TableSlot {
    let missing = keyCount + new - table.capacity
    guard missing > 0 else { return .new }
    guard missing <= table.count - spared.count else { return .refused(nil) }
    guard whenFull == .refuse else { return .forgetting }
    let sample = table.sample(of: missing, sparing: spared)
    let roomAt = table[sample[missing - 1]].fullAt
    guard roomAt <= latest else { return .refused(roomAt) }
    // From the last one on, so that those to come keep their places.
    for entry in sample[..<missing].sorted(by: >) { remove(entry) }
    return .new
  }

  /// Makes room for one key by dropping one whose bucket is full.
  mutating func makeRoomWithoutForgetting() -> Bool {
    let victim = keyCount < table.capacity ? nil : table.sample(sparing: []).first
    guard let victim else { return keyCount < table.capacity }
    guard table[victim].isFull(at: latest) else { return false }
    remove(victim)
    return true
  }

  /// Keeps what a call has left of a key's bucket.
  @inline(__always)
  mutating func store(_ stamp: KeyStamp, of key: Key, _ slot: TableSlot) {
    if case .known(let entry) = slot {
      table[entry] = stamp
    } else {
      insert(key, stamp, hash: key.keyHash, sparing: [])
    }
  }

  /// Changes a key's bucket without asking, if it is known or if there is room.
  mutating func change(
    _ key: Key, _ quota: Quota, _ slot: TableSlot, _ body: (inout BucketLevel) -> Void
  ) -> Bool {
    var bucket = table.bucket(quota, slot)
    body(&bucket)
    if case .known(let entry) = slot {
      table[entry] = bucket.stamp
      return true
    }
    if bucket.stamp.isFull(at: latest) { return true }
    guard slot == .new || slot == .forgetting && makeRoomWithoutForgetting() else { return false }
    insert(key, bucket.stamp, hash: key.keyHash, sparing: [])
    return true
  }

  /// Adds a key for which there is room, or which evicts another.
  mutating func insert(_ key: Key, _ stamp: KeyStamp, hash: UInt64, sparing spared: [Key]) {
    let stay = spared.isEmpty ? [] : spared.compactMap { find($0, $0.keyHash) }
    if keyCount >= table.capacity {
      guard let victim = table.sample(sparing: stay).first else { return drop(key) }
      if !table[victim].isFull(at: latest) { forgotten += 1 }
      remove(victim)
    }
    guard !table.append(stamp, hash: hash) else { return keys.append(key) }
    let crowd = table.crowd(hash)?.filter { !stay.contains($0) }
    guard let victim = crowd?.min(by: { table[$0].isBefore(table[$1]) }) else { return drop(key) }
    if !table[victim].isFull(at: latest) { forgotten += 1 }
    table.replace(victim, keys[victim].keyHash, with: stamp, hash: hash)
    drop(keys[victim])
    keys[victim] = key
  }

  /// Removes an entry; the last one takes its index.
  mutating func remove(_ entry: Int) {
    Self.unlink(entry, from: &table, keys)
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
    shrink(to: table.count)
  }

  /// Shrinks the table to the live keys if it has room for more than three times as many.
  mutating func sweep() {
    guard table.capacity > 3 * BucketTable.capacity(for: 0) else { return }
    shrink(to: table.livingCount(at: latest))
  }

  private mutating func shrink(to count: Int) {
    if table.capacity > 3 * max(count + places.count, BucketTable.capacity(for: 0)) {
      rebuild(for: places.count)
    }
  }

  /// Keeps a key until the lock is released.
  private mutating func drop(_ key: Key) {
    if dropped == nil { dropped = [key] } else { dropped?.append(key) }
  }

  /// Takes the dropped keys, to be released outside the lock; nil if there are none.
  @inline(__always)
  mutating func takeDropped() -> ContiguousArray<Key>? {
    dropped == nil ? nil : dropped.take()
  }
}
