/// A shard of a keyed limiter: a lock and the keys whose hashes fall to it.
///
/// A key is a stamp in the table. One that waits or is paused has a queue instead, behind the same
/// lock, for which its room in the table is reserved; when nothing waits any more, the queue ends
/// and is a stamp again.
///
/// ## Concurrency
/// Thread-safe. What is told, and the keys that are dropped, leave the lock first.
final class KeyedShard<Key: Hashable & Sendable>: Sendable {
  /// A key that waits or is paused.
  final class Place: WaiterQueue, @unchecked Sendable {
    let shard: KeyedShard
    // Guarded by the shard's lock, which makes a dynamic exclusivity check redundant.
    /// Nil once the queue has ended.
    @exclusivity(unchecked) var key: Key?
    @exclusivity(unchecked) var contents: QueueContents

    init(_ key: Key, in shard: KeyedShard, _ bucket: BucketLevel, at now: PacingInstant) {
      self.key = key
      self.shard = shard
      contents = QueueContents(LimitState(bucket, at: now), shard.policy, endsWithPause: true)
    }

    var service: TimerService { shard.service }

    func attend(
      sparing leaver: LimitWaiter?, isOnTimer: Bool, _ body: (inout QueueContents) -> Bool
    ) -> Bool {
      var answer = false
      shard.hold(isOnTimer: isOnTimer) {
        $0.perform(self, sparing: leaver) { answer = body(&$0) }
      }
      return answer
    }

    func nextDecided(isOnTimer: Bool) -> DecidedWaiters.Element? {
      var next: DecidedWaiters.Element?
      shard.hold(isOnTimer: isOnTimer) {
        next = contents.decided.next()
        $0.endIfIdle(self)
        return nil
      }
      return next
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
    // Dropped keys are released after the lock.
    var dropped: ContiguousArray<Key>?
    var duties: QueueContents.Duties?
    let answer = state.withLock { state -> Answer in
      state.advance(to: now)
      var answer = closed
      if state.isSpecial, state.isClosed {
        if counts { state.statistics.note(false, 0) }
      } else if state.isSpecial, let place = state.places[key] {
        duties = state.perform(place, quota) { answer = queued(&$0) }
      } else {
        answer = table(&state, quota, state.slot(key, hash))
      }
      dropped = state.takeDropped()
      return answer
    }
    if let dropped { withExtendedLifetime(dropped) {} }
    duties?.fulfil()
    return answer
  }

  /// Changes a key's bucket by the rules of a queue, which it gets if it then waits or is paused;
  /// nothing if the shard is closed.
  ///
  /// A full table without room for a new key discards the change, and tells `refused` the instant
  /// before which there is no room. What `body` does without a queue may be discarded, and false
  /// asks for a queue. Another key may be forgotten if it `isGrant`; a refusal may count as one.
  func change(
    _ key: Key, _ hash: UInt64, isGrant: Bool = false, counts: Bool = false,
    refused: (PacingInstant?) -> Void,
    _ body: (inout QueueContents, (any WaiterQueue)?) -> Bool
  ) {
    let quota = quota(key)
    hold { state in
      if state.isClosed {
        if counts { state.statistics.note(false, 0) }
        return nil
      }
      if state.isSpecial, let place = state.places[key] {
        return state.perform(place, quota) { _ = body(&$0, place) }
      }
      let slot = state.slot(key, hash)
      let bucket = state.table.bucket(quota, slot)
      var contents = QueueContents(LimitState(bucket, at: state.latest), policy)
      let isDone = body(&contents, nil)
      if isDone, contents.isIdle, let left = contents.state.bucket {
        if state.keep(left.stamp, of: key, slot, isGrant: isGrant) {
          state.statistics.add(contents.statistics)
          return nil
        }
      } else if state.makeRoom(for: slot, isGrant: false) {
        let place = Place(key, in: self, bucket, at: state.latest)
        state.add(place, of: key, hash)
        return state.perform(place) { _ = body(&$0, place) }
      }
      if counts { state.statistics.note(false, 0) }
      refused(slot.roomAt)
      return nil
    }
  }

  /// As `change`, with the answer of `body`, or another one if nothing was changed.
  @inline(__always)
  func change<Answer>(
    _ key: Key, _ hash: UInt64, isGrant: Bool = false, otherwise other: Answer,
    _ body: (inout QueueContents) -> Answer
  ) -> Answer {
    var answer = other
    change(key, hash, isGrant: isGrant) { _ in
      answer = other
    } _: { contents, _ in
      answer = body(&contents)
      return true
    }
    return answer
  }

  /// Changes the shard at the present, and does what that leaves to do once it is unlocked.
  func hold(isOnTimer: Bool = false, _ body: (inout State) -> QueueContents.Duties?) {
    let now = service.now
    var dropped: ContiguousArray<Key>?
    let duties = state.withLock { state in
      state.advance(to: now)
      let duties = body(&state)
      dropped = state.takeDropped()
      return duties
    }
    duties?.fulfil(isOnTimer: isOnTimer)
    guard isOnTimer, !_isPOD(Key.self), dropped != nil else { return }
    // The deinit of a key is the user's code, which no timer waits for. The worker holds the last
    // reference.
    let last = Locked(dropped.take())
    service.perform { last.release { $0.take() } }
  }

  /// Shrinks the table if it has far more room than keys.
  func sweep() {
    hold {
      $0.sweep()
      return nil
    }
  }

  /// Closes the shard; waiters are told `outcome`, and later callers are refused.
  func close(_ outcome: LimitWaiter.Outcome) {
    let now = service.now
    let closed = state.withLock { state in
      state.advance(to: now)
      state.isClosed = true
      state.isSpecial = true
      defer { state.places = [:] }
      return state.places.values.map { place in
        let duties = state.perform(place) { $0.close(outcome) }
        state.statistics.add(place.contents.statistics)
        return duties
      }
    }
    for duties in closed { duties.fulfil() }
  }

  /// Adds up what was decided.
  func add(to sum: inout KeyedLimitStatistics) {
    let (decided, forgotten, keys, waiting) = state.withLock { state in
      var (decided, waiting) = (state.statistics, 0)
      for place in state.places.values {
        decided.add(place.contents.statistics)
        waiting += place.contents.waiters.count
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
}

// MARK: Waiting

extension KeyedShard {
  /// Takes a cost for a caller, or lets it wait in its key's queue.
  func enter(
    _ costs: Costs, for key: Key, _ hash: UInt64, within timeout: Nanoseconds?,
    as caller: LimitWaiter.Caller, _ tell: () -> LimitWaiter.Teller
  ) -> QueueContents.Entrance {
    var entrance = QueueContents.Entrance.decided(.refused(.closed))
    change(key, hash, isGrant: true, counts: true) { roomAt in
      let wait = roomAt?.wait(from: service.now)
      entrance = .decided(.refused(.deadline(neededWait: wait)))
    } _: { contents, queue in
      let entered = contents.enter(costs, within: timeout, as: caller, on: service, in: queue, tell)
      if let entered { entrance = entered }
      return entered != nil
    }
    return entrance
  }

  /// Takes a cost for a stream, nil at its end: if a full table refuses the key, too.
  func takeNext(_ cost: Int, for key: Key, _ hash: UInt64) async -> PacingInstant? {
    await LimitWaiter.takeNext(countedBy: service) {
      enter(Costs(cost), for: key, hash, within: nil, as: .stream, $0)
    }
  }
}

// MARK: Queues

extension KeyedShard.State {
  /// Serves a key's waiters that are due, changes its queue, serves again, and ends the queue if
  /// nothing waits any more.
  mutating func perform(
    _ place: KeyedShard.Place, _ quota: Quota? = nil, sparing leaver: LimitWaiter? = nil,
    _ body: (inout QueueContents) -> Void
  ) -> QueueContents.Duties {
    begin(place, quota, sparing: leaver)
    body(&place.contents)
    return end(place)
  }

  mutating func begin(
    _ place: KeyedShard.Place, _ quota: Quota?, sparing leaver: LimitWaiter? = nil
  ) {
    place.contents.begin(at: latest, sparing: leaver)
    if let quota { place.contents.adopt(quota) }
  }

  mutating func end(_ place: KeyedShard.Place) -> QueueContents.Duties {
    defer { endIfIdle(place) }
    return place.contents.end(for: place, in: place.service)
  }

  /// Gives a key a queue, for which there is room.
  mutating func add(_ place: KeyedShard.Place, of key: Key, _ hash: UInt64) {
    if let entry = find(key, hash) { remove(entry) }
    places[key] = place
    isSpecial = true
  }

  /// Ends the queue of a key, and keeps its level, if nothing waits, is paused or is to be told.
  mutating func endIfIdle(_ place: KeyedShard.Place) {
    if place.contents.isIdle, !place.contents.decided.isBeingTold { end(idle: place) }
  }

  // Inlined, it would ask for the type of an optional key at every call.
  @inline(never)
  private mutating func end(idle place: KeyedShard.Place) {
    guard let bucket = place.contents.state.bucket, let key = place.key.take() else { return }
    if let index = places.index(forKey: key) { drop(places.remove(at: index).key) }
    if places.isEmpty {
      places = [:]
      isSpecial = false
    }
    statistics.add(place.contents.statistics)
    if bucket.stamp.isFull(at: latest) {
      drop(key)
    } else {
      insert(key, bucket.stamp, hash: key.keyHash, sparing: [])
    }
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

  /// Whether there is room for what is found in a slot; only a grant forgets another key's debt.
  mutating func makeRoom(for slot: TableSlot, isGrant: Bool) -> Bool {
    switch slot {
    case .known, .new: return true
    case .refused: return false
    case .forgetting where isGrant || keyCount < table.capacity: return true
    case .forgetting:
      guard let victim = table.sample(sparing: []).first, table[victim].isFull(at: latest)
      else { return false }
      remove(victim)
      return true
    }
  }

  /// Keeps what a grant has left of a key's bucket.
  @inline(__always)
  mutating func store(_ stamp: KeyStamp, of key: Key, _ slot: TableSlot) {
    if case .known(let entry) = slot {
      table[entry] = stamp
    } else {
      insert(key, stamp, hash: key.keyHash, sparing: [])
    }
  }

  /// Keeps what a change has left of a key's bucket, nothing of a full one; false if there is no
  /// room.
  mutating func keep(_ stamp: KeyStamp, of key: Key, _ slot: TableSlot, isGrant: Bool) -> Bool {
    if stamp.isFull(at: latest) {
      if case .known(let entry) = slot { forgetFull(entry) }
      return true
    }
    guard makeRoom(for: slot, isGrant: isGrant) else { return false }
    store(stamp, of: key, slot)
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

  /// Removes an entry whose bucket is full.
  private mutating func forgetFull(_ entry: Int) {
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
