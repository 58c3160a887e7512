extension KeyedRateLimiter {
  /// Charges a cost to each of several keys if all of their buckets hold it, otherwise to none; a
  /// repeated key is charged once.
  ///
  /// - Returns: The decision, and the key that it is of: the one that refused, of several the one
  ///   with the longest wait; if the cost is allowed, the key with the least remaining.
  /// - Precondition: `keys` is not empty.
  public func request(_ cost: Int = 1, for keys: [Key]) -> (key: Key, decision: Decision) {
    ConfigurationError.require(!keys.isEmpty, "keys", keys, must: "be one or several")
    var (names, seen) = ([KeyName<Key>](), Set<Key>())
    for key in keys where seen.insert(key).inserted {
      let (hash, shard) = shard(of: key)
      names.append((key, shard.limits(key), hash))
    }
    var several = SeveralKeys<Key>(costs: Costs(cost), now: sweep())
    // All callers take the locks in the same order, which prevents deadlock.
    let groups = Dictionary(grouping: names) { shards.index(of: $0.hash) }
    let ordered = groups.sorted { $0.key < $1.key }
    several.decide(ordered.map { (shards.all[$0.key], $0.value) }[...])
    for duties in several.duties { duties?.fulfil() }
    return several.answer!
  }
}

typealias KeyName<Key> = (key: Key, limits: KeyLimits, hash: UInt64)

/// One decision about several keys.
///
/// It asks shard after shard, holding all locks, and charges the keys on the way back if all allow.
private struct SeveralKeys<Key: Hashable & Sendable> {
  let costs: Costs
  let now: PacingInstant
  var answer: (key: Key, decision: Decision)?
  /// What is left to do once no lock is held.
  var duties = [QueueContents.Duties?]()
  /// Keys to release then.
  var dropped = [ContiguousArray<Key>?]()

  mutating func decide(_ groups: ArraySlice<(shard: KeyedShard<Key>, names: [KeyName<Key>])>) {
    guard let (shard, names) = groups.first else { return }
    let isFirst = answer == nil
    shard.state.withLock { state in
      state.advance(to: now)
      guard !state.isClosed else {
        add(.closed, of: names[0].key)
        if isFirst { state.statistics.note(false, 0) }
        return
      }
      let others = names.filter { state.places[$0.key] == nil }
      let room = state.room(for: others, among: names)
      for name in names {
        if let place = state.places[name.key] {
          state.begin(place, name.limits)
          add(place.contents.peek(costs), of: name.key)
        } else {
          add(state.answer(costs, name, room), of: name.key)
        }
      }
      decide(groups.dropFirst())
      let isAllowed = answer?.decision.isAllowed == true
      if isAllowed { state.charge(costs, to: others, among: names) }
      for place in names.compactMap({ state.places[$0.key] }) {
        if isAllowed { place.contents.state.spend(costs, at: place.contents.state.latest) }
        duties.append(state.end(place))
      }
      if isFirst { state.statistics.note(isAllowed, costs.total) }
      dropped.append(state.takeDropped())
    }
  }

  private mutating func add(_ decision: Decision, of key: Key) {
    if answer.map({ decision.isStricter(than: $0.decision) }) ?? true { answer = (key, decision) }
  }
}

extension KeyedShard.State {
  /// Room for those that are new; others become so if the table grows, which drops entries whose
  /// buckets are full.
  fileprivate mutating func room(
    for names: [KeyName<Key>], among all: [KeyName<Key>]
  ) -> TableSlot {
    grow(for: names.count - entries(of: names).count)
    let new = names.count - entries(of: names).count
    return new == 0 ? .new : makeRoom(for: new, sparing: entries(of: all))
  }

  fileprivate func answer(_ costs: Costs, _ name: KeyName<Key>, _ room: TableSlot) -> Decision {
    let slot = find(name.key, name.hash).map(TableSlot.known) ?? room
    let decision = QueueContents(limit(name.limits, slot), .unlimited).peek(costs)
    guard case .refused(let roomAt) = slot else { return decision }
    return .tableIsFull(
      for: roomAt?.wait(from: latest), isFree: costs.total == 0, isPossible: decision.isPossible)
  }

  fileprivate mutating func charge(
    _ costs: Costs, to names: [KeyName<Key>], among all: [KeyName<Key>]
  ) {
    for name in names where costs.total > 0 {
      let slot = find(name.key, name.hash).map(TableSlot.known) ?? .new
      var limit = take(name.limits, slot)
      limit.spend(costs, at: latest)
      store(limit, of: name.key, slot, sparing: slot.isOfNewKey ? entries(of: all) : [])
    }
  }

  private func entries(of names: [KeyName<Key>]) -> [Int] {
    names.compactMap { find($0.key, $0.hash) }
  }
}
