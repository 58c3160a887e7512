/// The keys of a shard: their queues, and the table of those without one.
extension KeyedShard.State {
  // MARK: Queues

  /// Serves a key's waiters that are due, changes its queue, serves again, and ends the queue if
  /// nothing waits any more, and nothing is left to be remembered as one.
  mutating func perform(
    _ place: KeyedShard.Place, _ limits: KeyLimits? = nil, sparing leaver: LimitWaiter? = nil,
    _ body: (inout QueueContents) -> Void
  ) -> QueueContents.Duties {
    begin(place, limits, sparing: leaver)
    body(&place.contents)
    return end(place)
  }

  mutating func begin(
    _ place: KeyedShard.Place, _ limits: KeyLimits?, sparing leaver: LimitWaiter? = nil
  ) {
    place.contents.begin(at: latest, sparing: leaver)
    if let limits { place.contents.adopt(limits, since: created) }
  }

  mutating func end(_ place: KeyedShard.Place) -> QueueContents.Duties {
    defer { endIfIdle(place) }
    return place.contents.end(for: place, in: place.service)
  }

  /// Gives a key a queue, for which there is room.
  mutating func add(_ place: KeyedShard.Place, _ hash: UInt64) {
    guard let key = place.key else { return }
    if !isQueued, let entry = find(key, hash) { remove(entry) }
    places[key] = place
    isSpecial = true
  }

  /// Ends the queue of a key, and keeps its level, if nothing waits, is paused or is to be told.
  mutating func endIfIdle(_ place: KeyedShard.Place) {
    let isIdle = place.contents.isIdle && !place.contents.decided.isBeingTold
    if isQueued, !isIdle || place.contents.state.restsAt > latest {
      setResting(place, isIdle)
    } else if isIdle {
      end(idle: place)
    }
  }

  /// Notes whether a key may be forgotten.
  private mutating func setResting(_ place: KeyedShard.Place, _ isResting: Bool) {
    guard isResting != (place.resting != nil), place.key != nil else { return }
    if let index = place.resting.take() {
      resting.swapAt(index, resting.count - 1)
      resting[index].resting = index
      resting.removeLast()
      place.resting = nil
    } else {
      place.resting = resting.count
      resting.append(place)
    }
  }

  // Inlined, it would ask for the type of an optional key at every call.
  @inline(never)
  fileprivate mutating func end(idle place: KeyedShard.Place) {
    setResting(place, false)
    guard let key = place.key.take() else { return }
    if let index = places.index(forKey: key) { drop(places.remove(at: index).key) }
    if places.isEmpty {
      places = [:]
      isSpecial = false
    }
    statistics.add(place.contents.statistics)
    if let stamp = place.contents.state.bucket?.stamp, !stamp.isFull(at: latest) {
      insert(key, stamp, hash: key.keyHash)
    } else {
      drop(key)
    }
  }

  // MARK: The table

  /// Clamps the time.
  @inline(__always)
  mutating func advance(to now: PacingInstant) {
    if latest < now { latest = now }
  }

  /// The number of keys in memory.
  var keyCount: Int { keys.count + places.count }

  /// The number of waiters of all keys.
  var waitingCount: Int { places.values.reduce(0) { $0 + $1.contents.waiters.count } }

  /// Counts of what was decided about all keys.
  var decided: LimitStatistics {
    places.values.reduce(into: statistics) { $0.add($1.contents.statistics) }
  }

  /// The number of keys for which there is room.
  private var capacity: Int { isQueued ? table.maximum : table.capacity }

  /// A new key's limits, or those of one in the table.
  // Called, it would ask for the type of the state.
  @inline(__always)
  func limit(_ limits: KeyLimits, _ slot: TableSlot) -> LimitState {
    switch limits {
    case .bucket(let quota): LimitState(table.bucket(quota, slot), at: latest)
    case .parts(let parts): LimitState(parts, since: created, at: latest)
    }
  }

  @inline(__always)
  func find(_ key: Key, _ hash: UInt64) -> Int? {
    table.find(hash) { keys[$0] == key }
  }

  /// Finds a key's bucket, or room for it.
  @inline(__always)
  mutating func slot(_ key: Key, _ hash: UInt64) -> TableSlot {
    find(key, hash).map(TableSlot.known) ?? newSlot()
  }

  private mutating func newSlot() -> TableSlot {
    grow(for: 1)
    return makeRoom(for: 1, sparing: [])
  }

  /// Grows the table for new entries, up to its maximum.
  mutating func grow(for new: Int) {
    guard !isQueued else { return }
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
    let missing = keyCount + new - capacity
    guard missing > 0 else { return .new }
    guard missing <= (isQueued ? resting.count : table.count) - spared.count else {
      return .refused(nil)
    }
    guard whenFull == .refuse else { return .forgetting }
    let sample = sample(of: missing, sparing: spared)
    let roomAt = restsAt(sample[missing - 1])
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
    case .forgetting where isGrant || keyCount < capacity: return true
    case .forgetting:
      guard let victim = sample(sparing: []).first, restsAt(victim) <= latest else { return false }
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
      insert(key, stamp, hash: key.keyHash)
    }
  }

  /// Keeps what a change has left of a key's limits, nothing of full ones; false if there is no
  /// room.
  @inline(__always)
  mutating func keep(
    _ contents: QueueContents, of key: Key, _ hash: UInt64, _ slot: TableSlot, isGrant: Bool,
    in shard: KeyedShard
  ) -> Bool {
    let stamp = contents.state.bucket?.stamp
    if stamp?.isFull(at: latest) ?? (contents.state.restsAt <= latest) {
      if case .known(let entry) = slot { forgetFull(entry) }
    } else if !makeRoom(for: slot, isGrant: isGrant) {
      return false
    } else if let stamp {
      store(stamp, of: key, slot)
    } else {
      insert(KeyedShard.Place(key, in: shard, contents), hash)
      return true
    }
    statistics.add(contents.statistics)
    return true
  }

  /// Adds a key for which there is room, or which evicts another.
  mutating func insert(_ key: Key, _ stamp: KeyStamp, hash: UInt64, sparing spared: [Int] = []) {
    guard makeRoom(sparing: spared) else { return drop(key) }
    table.append(stamp, hash: hash)
    keys.append(key)
  }

  /// Adds a key with any limits, for which there is room, or which evicts another.
  mutating func insert(_ place: KeyedShard.Place, _ hash: UInt64, sparing spared: [Int] = []) {
    guard makeRoom(sparing: spared) else { return }
    add(place, hash)
    setResting(place, true)
  }

  /// Evicts a key of a sample if there is no room for one more.
  private mutating func makeRoom(sparing spared: [Int]) -> Bool {
    guard keyCount >= capacity else { return true }
    guard let victim = sample(sparing: spared).first else { return false }
    if restsAt(victim) > latest { forgotten += 1 }
    remove(victim)
    return true
  }

  /// Keys at random places, in the order in which nothing of them is remembered any more.
  private mutating func sample(of size: Int = 1, sparing spared: [Int]) -> [Int] {
    guard isQueued else { return table.sample(of: size, sparing: spared) }
    return table.sample(of: size, among: resting.count, sparing: spared)
      .sorted { restsAt($0) < restsAt($1) }
  }

  /// The instant from which nothing of a key is remembered.
  private func restsAt(_ entry: Int) -> PacingInstant {
    isQueued ? resting[entry].contents.state.restsAt : table[entry].fullAt
  }

  /// Removes an entry; the last one takes its index.
  mutating func remove(_ entry: Int) {
    guard !isQueued else { return end(idle: resting[entry]) }
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
    guard !isQueued else { return sweepPlaces() }
    guard table.capacity > 3 * BucketTable.capacity(for: 0) else { return }
    shrink(to: table.livingCount(at: latest))
  }

  private mutating func shrink(to count: Int) {
    if table.capacity > 3 * max(count + places.count, BucketTable.capacity(for: 0)) {
      rebuild(for: places.count)
    }
  }

  /// Forgets the keys of which nothing is remembered.
  private mutating func sweepPlaces() {
    for index in resting.indices.reversed() where restsAt(index) <= latest { remove(index) }
    guard places.capacity > 3 * max(places.count, BucketTable.capacity(for: 0)) else { return }
    places = Dictionary(uniqueKeysWithValues: places.map { ($0.key, $0.value) })
    resting = ContiguousArray(resting[...])
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
