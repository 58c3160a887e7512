extension KeyedRateLimiter {
  /// Spends a cost of each of several keys, if the buckets of all hold it; otherwise of none.
  ///
  /// - Parameters:
  ///   - cost: How much.
  ///   - keys: Whose; one that is named twice is charged once.
  /// - Returns: Whether it was spent, and the key that refused where it was not.
  /// - Precondition: `cost` is not negative, and there is a key.
  public func request(_ cost: Int = 1, for keys: [Key]) -> KeyedDecision<Key> {
    requireCost(cost)
    var groups = [Int: [Name]]()
    for key in keys {
      let name = name(key)
      let shard = shard(name)
      guard groups[shard]?.contains(where: { $0.key == key }) != true else { continue }
      groups[shard, default: []].append(name)
    }
    // All locks are taken in one order, so no two callers wait for each other.
    let ordered = groups.map { Group(shard: $0, names: $1) }.sorted { $0.shard < $1.shard }
    let decision = decide(cost, for: ordered[...], nil)
    ConfigurationError.require(decision != nil, "keys", keys, must: "be one or several")
    return decision!
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
      _ = state.advance(to: service.now)
      let buckets = state.standings(group.names)
      var decision = before
      for (name, standing) in buckets {
        let own = state.decision(cost, name, standing)
        decision?.add(own, of: name.key)
        if decision == nil { decision = KeyedDecision(own, of: name.key) }
      }
      decision = decide(cost, for: groups.dropFirst(), decision)
      if decision?.isAllowed == true {
        for (name, standing) in buckets { state.charge(cost, name, standing) }
      }
      return (decision, state.table.takeDropped())
    }
    withExtendedLifetime(dropped) {}
    return decision
  }
}
