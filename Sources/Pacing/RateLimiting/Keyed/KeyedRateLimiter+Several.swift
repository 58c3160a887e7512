extension KeyedRateLimiter {
  /// Spends a cost of each of several keys, if the buckets of all hold it; otherwise of none.
  ///
  /// - Parameters:
  ///   - cost: How much.
  ///   - keys: Whose; one that is named twice is charged once.
  /// - Returns: Whether it was spent, and the key that refused where it was not.
  /// - Precondition: `cost` is not negative, and there is a key.
  public func request(_ cost: Int = 1, for keys: [Key]) -> KeyedDecision<Key> {
    ConfigurationError.requireCost(cost)
    var groups = [Int: [Name]]()
    for key in keys {
      let name = Name(key: key, quota: quota(key), hash: key.keyHash)
      let shard = shard(name.hash)
      guard groups[shard]?.contains(where: { $0.key == key }) != true else { continue }
      groups[shard, default: []].append(name)
    }
    // All locks are taken in one order, so no two callers wait for each other.
    let ordered = groups.map { Group(shard: $0, names: $1) }.sorted { $0.shard < $1.shard }
    let decision = decide(cost, for: ordered[...], nil)
    ConfigurationError.require(decision != nil, "keys", keys, must: "be one or several")
    return decision!
  }

  /// A key, its limit and its hash.
  private struct Name: Sendable {
    let key: Key
    let quota: Quota
    let hash: UInt64
  }

  /// The keys of one part.
  private struct Group: Sendable {
    let shard: Int
    let names: [Name]
  }

  /// Asks the keys of one part after the other while the locks of all are held; they are charged on
  /// the way back, once the last of them has allowed it.
  private func decide(
    _ cost: Int, for groups: ArraySlice<Group>, _ before: KeyedDecision<Key>?
  ) -> KeyedDecision<Key>? {
    guard let group = groups.first else { return before }
    let (decision, dropped) = shards[group.shard].state.withLock { state in
      state.buckets.advance(to: service.now)
      let found = find(group.names, in: &state)
      var decision = before
      for (name, slot) in found {
        let own = state.buckets.decision(cost, name.quota, slot)
        decision?.add(own, of: name.key)
        if decision == nil { decision = KeyedDecision(own, of: name.key) }
      }
      decision = decide(cost, for: groups.dropFirst(), decision)
      if decision?.isAllowed == true {
        for (name, slot) in found {
          state.buckets.charge(cost, name.quota, slot, hash: name.hash)
          state.keep(name.key, slot)
        }
      }
      return (decision, state.takeDropped())
    }
    withExtendedLifetime(dropped) {}
    return decision
  }

  /// Finds the buckets of several keys, with room for all that have none; those that share one have
  /// it once.
  private func find(
    _ names: [Name], in state: inout KeyedShard<Key>.State
  ) -> [(name: Name, slot: KeyedBuckets.Slot)] {
    func new() -> Int { names.count { state.find($0.key, $0.hash) == nil } }
    // Entries move when room is made, so that comes first; and those whose bucket is full make it,
    // which may be some of the names: they are new then.
    let hasRoom = state.makeRoom(for: new()) && state.makeRoom(for: new())
    var found = [(name: Name, slot: KeyedBuckets.Slot)]()
    for name in names {
      let entry = state.find(name.key, name.hash)
      let slot: KeyedBuckets.Slot = entry.map { .known($0) } ?? (hasRoom ? .new : .stranger)
      let isShared = slot == .stranger && found.contains { $0.slot == .stranger }
      if !isShared { found.append((name, slot)) }
    }
    return found
  }
}
