extension KeyedRateLimiter {
  /// As `KeyedLimitingTool.request(_:for:)` for several keys, synchronously and with a default cost
  /// of one.
  public func request(_ cost: Int = 1, for keys: [Key]) -> KeyedDecision<Key> {
    ConfigurationError.requireCost(cost)
    ConfigurationError.require(!keys.isEmpty, "keys", keys, must: "be one or several")
    var groups = [Int: [KeyName<Key>]]()
    for key in keys {
      let hash = key.keyHash
      let shard = shards.index(of: hash)
      let limits = shards.all[shard].limits(key)
      let name = KeyName(key: key, limits: limits, hash: hash)
      guard groups[shard]?.contains(where: { $0.key == key }) != true else { continue }
      groups[shard, default: []].append(name)
    }
    let now = service.now
    sweep(at: now)
    var several = SeveralKeys<Key>(cost, at: now)
    // All callers take the locks in the same order, which prevents deadlock.
    let ordered = groups.sorted { $0.key < $1.key }
    several.decide(ordered.map { (shards.all[$0.key], $0.value) }[...])
    for duties in several.duties { duties.fulfil() }
    return several.decision!
  }
}

/// A key, its limits and its hash.
struct KeyName<Key: Hashable & Sendable> {
  let key: Key
  let limits: KeyLimits
  let hash: UInt64
}

/// One decision about several keys.
///
/// It asks shard after shard, while it holds all of their locks; and charges the keys on the way
/// back, if all of them allow the cost.
private struct SeveralKeys<Key: Hashable & Sendable> {
  typealias Shard = KeyedShard<Key>

  let cost: Int
  let now: PacingInstant
  var decision: KeyedDecision<Key>?
  /// What is left to do once no lock is held.
  private(set) var duties = [QueueContents.Duties]()
  /// Keys to release then.
  private var dropped = [ContiguousArray<Key>]()

  init(_ cost: Int, at now: PacingInstant) {
    self.cost = cost
    self.now = now
  }

  mutating func decide(_ groups: ArraySlice<(shard: Shard, names: [KeyName<Key>])>) {
    guard let (shard, names) = groups.first else { return }
    let isFirst = decision == nil
    let dropped = shard.state.withLock { state -> ContiguousArray<Key>? in
      state.advance(to: now)
      guard !state.isClosed else {
        add(.closed, of: names[0].key)
        if isFirst { state.statistics.note(false, 0) }
        return nil
      }
      let places = names.compactMap { state.places[$0.key] }
      let others = names.filter { state.places[$0.key] == nil }
      let (known, room) = state.find(others, among: names)
      for name in others {
        let slot = state.find(name.key, name.hash).map(TableSlot.known) ?? room
        add(state.answer(cost, name.limits, slot), of: name.key)
      }
      for place in places {
        guard let name = names.first(where: { $0.key == place.key }) else { continue }
        state.begin(place, name.limits)
        add(place.contents.peek(Costs(cost)), of: name.key)
      }
      decide(groups.dropFirst())
      let isAllowed = decision?.isAllowed == true
      if isAllowed, cost > 0 { state.charge(cost, to: others, known, among: names) }
      for place in places {
        if isAllowed {
          place.contents.state.spend(Costs(cost), at: place.contents.state.latest)
        }
        duties.append(state.end(place))
      }
      if isFirst { state.statistics.note(isAllowed, cost) }
      return state.takeDropped()
    }
    if let dropped { self.dropped.append(dropped) }
  }

  private mutating func add(_ other: Decision, of key: Key) {
    guard decision != nil else { return decision = KeyedDecision(other, of: key) }
    decision?.add(other, of: key)
  }
}

extension KeyedShard.State {
  /// Finds which keys without a queue are known, and room for those that are not.
  ///
  /// Making room moves entries, so it comes first. As the table grows it drops entries whose
  /// buckets are full, which may include some of the keys: they are new then.
  fileprivate mutating func find(
    _ names: [KeyName<Key>], among all: [KeyName<Key>]
  ) -> (known: [Key], room: TableSlot) {
    grow(for: names.count { find($0.key, $0.hash) == nil })
    let known = names.filter { find($0.key, $0.hash) != nil }
    let new = names.count - known.count
    return (known.map { $0.key }, new == 0 ? .new : makeRoom(for: new, sparing: entries(of: all)))
  }

  /// The answer to a key without a queue.
  fileprivate func answer(_ cost: Int, _ limits: KeyLimits, _ slot: TableSlot) -> Decision {
    let limit = limit(limits, slot)
    guard case .refused(let roomAt) = slot else {
      return QueueContents(limit, .unlimited).peek(Costs(cost))
    }
    return .tableIsFull(
      for: roomAt?.wait(from: latest), isFree: cost == 0,
      isPossible: limit.excess(Costs(cost)) == nil)
  }

  /// Charges all of the keys without a queue, those in the table before new ones.
  fileprivate mutating func charge(
    _ cost: Int, to names: [KeyName<Key>], _ known: [Key], among all: [KeyName<Key>]
  ) {
    for name in names.filter({ known.contains($0.key) }) + names.filter({ !known.contains($0.key) })
    {
      let slot = find(name.key, name.hash).map(TableSlot.known) ?? .new
      var limit = take(name.limits, slot)
      limit.spend(Costs(cost), at: latest)
      store(limit, of: name.key, slot, sparing: slot.isOfNewKey ? entries(of: all) : [])
    }
  }

  /// The entries of keys that are not to be evicted.
  private func entries(of names: [KeyName<Key>]) -> [Int] {
    names.compactMap { find($0.key, $0.hash) }
  }
}
