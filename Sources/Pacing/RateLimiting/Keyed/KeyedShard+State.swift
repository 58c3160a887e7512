/// The keys of a shard: their queues, and the table of those without one.
extension KeyedShard.State {
  /// Serves a key's waiters that are due, changes its queue, serves again, and ends the queue if
  /// nothing waits any more.
  // Called, it would ask for the type of the state, as its three steps would.
  @inline(__always)
  mutating func perform(
    _ place: KeyedShard.Place, _ limits: KeyLimits? = nil, sparing leaver: LimitWaiter? = nil,
    _ body: (inout QueueContents) -> Void
  ) -> QueueContents.Duties? {
    begin(place, limits, sparing: leaver)
    body(&place.contents)
    return end(place)
  }

  @inline(__always)
  mutating func begin(
    _ place: KeyedShard.Place, _ limits: KeyLimits?, sparing leaver: LimitWaiter? = nil
  ) {
    place.contents.begin(at: latest, sparing: leaver)
    if let limits { place.contents.adopt(limits, since: created) }
  }

  @inline(__always)
  mutating func end(_ place: KeyedShard.Place) -> QueueContents.Duties? {
    defer { endIfIdle(place) }
    return place.contents.end(for: place, in: place.service)
  }

  /// Gives a key a queue, for which there is room.
  mutating func add(_ place: KeyedShard.Place, _ hash: UInt64) {
    guard let key = place.key else { return }
    if let entry = find(key, hash) { remove(entry) }
    places[key] = place
    isSpecial = true
  }

  /// Ends the queue of a key, and keeps its limits, if nothing waits, is paused or is to be told.
  @inline(__always)
  mutating func endIfIdle(_ place: KeyedShard.Place) {
    if place.contents.isIdle, !place.contents.isTelling { end(idle: place) }
  }

  // Inlined, it would ask for the type of an optional key at every call.
  @inline(never)
  fileprivate mutating func end(idle place: KeyedShard.Place) {
    guard let key = place.key.take() else { return }
    if let index = places.index(forKey: key) { drop(places.remove(at: index).key) }
    if places.isEmpty {
      places = [:]
      isSpecial = false
    }
    statistics.add(place.contents.statistics)
    store(place.contents.state, of: key, .new)
  }

  @inline(__always)
  mutating func advance(to now: PacingInstant) { if latest < now { latest = now } }

  var keyCount: Int { keys.count + places.count }

  var waitingCount: Int { places.values.reduce(0) { $0 + $1.contents.waiters.count } }

  var decided: LimitStatistics {
    places.values.reduce(into: statistics) { $0.add($1.contents.statistics) }
  }

  /// A new key's limits, or those of one in the table.
  // Called, it would ask for the type of the state.
  @inline(__always)
  func limit(_ limits: KeyLimits, _ slot: TableSlot) -> LimitState {
    switch limits {
    case .bucket(let quota): LimitState(table.bucket(quota, slot), at: latest)
    case .parts, .permits: kept(limits, slot)
    }
  }

  // Inlined, it would make every call copy a state.
  @inline(never)
  private func kept(_ limits: KeyLimits, _ slot: TableSlot) -> LimitState {
    guard case .known(let entry) = slot else {
      if case .parts(let parts) = limits { return LimitState(parts, since: created, at: latest) }
      return changing(LimitState(permits: 1, at: latest)) { $0.adopt(limits, since: created) }
    }
    return changing(LimitState(self.limits[entry], at: latest)) { $0.adopt(limits, since: created) }
  }

  /// As `limit`, to be changed without a copy, and kept.
  @inline(__always)
  mutating func take(_ limits: KeyLimits, _ slot: TableSlot) -> LimitState {
    let limit = limit(limits, slot)
    if !self.limits.isEmpty, case .known(let entry) = slot { self.limits[entry] = .init() }
    return limit
  }

  @inline(__always)
  func find(_ key: Key, _ hash: UInt64) -> Int? {
    table.find(hash) { keys.span.ask($0) { $0 == key } }
  }

  /// Finds a key's bucket, or room for it.
  @inline(__always)
  mutating func slot(_ key: Key, _ hash: UInt64) -> TableSlot {
    if let entry = find(key, hash) { return .known(entry) }
    grow(for: 1)
    return makeRoom(for: 1, sparing: [])
  }

  mutating func grow(for new: Int) {
    let wanted = table.count + places.count + new
    if wanted > table.capacity, table.capacity < table.maximum { rebuild(for: new + places.count) }
  }

  /// Drops entries whose buckets are full, and resizes the table for those that stay.
  private mutating func rebuild(for new: Int) {
    let (old, oldLimits) = (keys, limits)
    let living = table.shed(for: new, at: latest) { old[$0].keyHash }
    keys = []
    keys.reserveCapacity(table.capacity)
    for entry in living { keys.append(old[entry]) }
    if !limits.isEmpty { limits = ContiguousArray(living.map { oldLimits[$0] }) }
    dropped = (dropped ?? []) + old
  }

  /// Makes room for new entries in a table at its maximum, but drops no spared ones.
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
      guard let victim = table.sample(sparing: []).first, table[victim].isFull(at: latest) else {
        return false
      }
      remove(victim)
      return true
    }
  }

  @inline(__always)
  mutating func spend(_ cost: Int, _ quota: Quota, of key: Key, _ slot: TableSlot) -> Bool {
    if case .refused = slot { return false }
    var bucket = table.bucket(quota, slot)
    guard bucket.tryAcquire(cost, at: latest) else { return false }
    store(bucket.stamp, of: key, slot)
    statistics.note(true, cost)
    return true
  }

  @inline(__always)
  mutating func store(_ stamp: KeyStamp, of key: Key, _ slot: TableSlot) {
    if case .known(let entry) = slot { table[entry] = stamp } else { insert(key, stamp) }
  }

  /// Keeps what a change has left of a key's limits, nothing of full ones, nor of a new key's that
  /// has been granted nothing; false if there is no room.
  @inline(__always)
  mutating func keep(
    _ contents: QueueContents, of key: Key, _ slot: TableSlot, isGrant: Bool
  ) -> Bool {
    let isUntouched = isGrant && slot.isOfNewKey && contents.statistics.tokens == 0
    if isUntouched || contents.state.stamp.isFull(at: latest) {
      if case .known(let entry) = slot {
        remove(entry)
        shrink(to: table.count)
      }
    } else if !makeRoom(for: slot, isGrant: isGrant) {
      return false
    } else {
      store(contents.state, of: key, slot)
    }
    statistics.add(contents.statistics)
    return true
  }

  /// Keeps a key's limits in its slot; full ones of a new key are not kept.
  mutating func store(
    _ limit: LimitState, of key: Key, _ slot: TableSlot, sparing spared: [Int] = []
  ) {
    let stamp = limit.stamp
    if case .known(let entry) = slot {
      table[entry] = stamp
      if !limits.isEmpty { limits[entry] = limit.entries }
    } else if stamp.isFull(at: latest) {
      drop(key)
    } else {
      insert(key, stamp, limit.bucket == nil ? limit.entries : nil, sparing: spared)
    }
  }

  /// Adds a key for which there is room, or which evicts another.
  private mutating func insert(
    _ key: Key, _ stamp: KeyStamp, _ entries: LimitState.Entries? = nil, sparing spared: [Int] = []
  ) {
    if keyCount >= table.capacity {
      guard let victim = table.sample(sparing: spared).first else { return drop(key) }
      if !table[victim].isFull(at: latest) { forgotten += 1 }
      remove(victim)
    }
    table.append(stamp, hash: key.keyHash)
    keys.append(key)
    if let entries { limits.append(entries) }
  }

  /// Removes an entry; the last one takes its index.
  mutating func remove(_ entry: Int) {
    Self.unlink(entry, from: &table, keys)
    keys.swapAt(entry, keys.count - 1)
    drop(keys.removeLast())
    guard !limits.isEmpty else { return }
    limits.swapAt(entry, limits.count - 1)
    limits.removeLast()
  }

  private static func unlink(
    _ entry: Int, from table: inout BucketTable, _ keys: ContiguousArray<Key>
  ) {
    table.remove(entry) { keys[$0].keyHash }
  }

  /// Drops entries whose buckets are full if the table has room for more than three times the
  /// others, or if it has limits, which take more memory.
  mutating func sweep() {
    guard !limits.isEmpty || table.capacity > 3 * BucketTable.capacity(for: 0) else { return }
    let living = table.livingCount(at: latest)
    if !limits.isEmpty, living < table.count {
      rebuild(for: places.count)
    } else {
      shrink(to: living)
    }
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
  mutating func takeDropped() -> ContiguousArray<Key>? { dropped == nil ? nil : dropped.take() }
}

extension Span where Element: ~Copyable {
  /// Asks about an element where it is; a subscript makes a copy of one that can be copied.
  @inline(__always)
  fileprivate func ask<A>(_ index: Int, _ body: (borrowing Element) -> A) -> A { body(self[index]) }
}
