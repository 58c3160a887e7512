extension KeyedRateLimiter {
  /// As `KeyedLimitingTool.request(_:for:)` for several keys, synchronously and with a default cost
  /// of one.
  public func request(_ cost: Int = 1, for keys: [Key]) -> KeyedDecision<Key> {
    ConfigurationError.requireCost(cost)
    ConfigurationError.require(!keys.isEmpty, "keys", keys, must: "be one or several")
    var groups = [Int: [KeyName<Key>]]()
    for key in keys {
      let name = KeyName(key: key, quota: quota(key), hash: key.keyHash)
      let shard = shards.index(of: name.hash)
      guard groups[shard]?.contains(where: { $0.key == key }) != true else { continue }
      groups[shard, default: []].append(name)
    }
    // All callers take the locks in the same order, which prevents deadlock.
    let ordered = groups.map { Group(shard: $0, names: $1) }.sorted { $0.shard < $1.shard }
    var duties = [@Sendable () -> Void]()
    let decision = decide(cost, for: ordered[...], nil, &duties)
    for duty in duties { duty() }
    sweep(at: service.now)
    return decision!
  }

  /// The keys of one shard.
  private struct Group: Sendable {
    let shard: Int
    let names: [KeyName<Key>]
  }

  /// Asks shard after shard while holding all of their locks; charges the keys on the way back, if
  /// all of them allow the cost.
  ///
  /// Waiters decided on the way are told last, with no lock held.
  private func decide(
    _ cost: Int, for groups: ArraySlice<Group>, _ before: KeyedDecision<Key>?,
    _ duties: inout [@Sendable () -> Void]
  ) -> KeyedDecision<Key>? {
    guard let group = groups.first else { return before }
    let shard = shards.all[group.shard]
    let (decision, own) = shard.decide { state in
      state.wake()
      let found = state.find(group.names)
      var decision = before
      for bucket in found {
        let own = state.decision(cost, for: bucket)
        decision?.add(own, of: bucket.name.key)
        if decision == nil { decision = KeyedDecision(own, of: bucket.name.key) }
      }
      decision = decide(cost, for: groups.dropFirst(), decision, &duties)
      if decision?.isAllowed == true { state.charge(cost, to: found) }
      if before == nil { state.statistics.note(decision?.isAllowed == true, cost) }
      return decision
    }
    duties.append { shard.fulfil(own) }
    return decision
  }
}

/// A key, its quota and its hash.
struct KeyName<Key: Hashable & Sendable>: Sendable {
  let key: Key
  let quota: Quota
  let hash: UInt64
}

extension KeyedShard.State {
  typealias Name = KeyName<Key>

  /// A key and its bucket.
  struct Found {
    let name: Name
    /// Nil if the key has waiters or a pause.
    let slot: Slot?
    /// The owner of its queue, nil if there is none.
    let owner: Owner?

    var isKnown: Bool {
      guard let slot else { return true }
      if case .known = slot { return true }
      return false
    }
  }

  /// Finds the buckets of several keys, with room for those that have none.
  ///
  /// Keys that share a bucket are listed once.
  fileprivate mutating func find(_ names: [Name]) -> [Found] {
    let tabled = names.filter { queues[.key($0.key)] == nil }
    func count() -> Int { tabled.count { find($0.key, $0.hash) == nil } }
    // Making room moves entries, so it comes first. As the table grows it drops entries whose
    // buckets are full, which may include some of the names: they are new then.
    grow(for: count())
    let new = count()
    let known = tabled.compactMap { find($0.key, $0.hash) }
    let room = new == 0 ? Slot.new : makeRoom(for: new, sparing: known)
    var found = [Found]()
    for name in names {
      guard queues[.key(name.key)] == nil else {
        found.append(Found(name: name, slot: nil, owner: .key(name.key)))
        continue
      }
      let slot = find(name.key, name.hash).map(Slot.known) ?? room
      if !hasOneQuota { apply(name.quota, to: slot) }
      let isShared =
        slot.isStranger && buckets.whenFull == .share
        && found.contains { $0.slot?.isStranger == true }
      let owner = slot.isStranger && queues[.shared] != nil ? Owner.shared : nil
      if !isShared { found.append(Found(name: name, slot: slot, owner: owner)) }
    }
    return found
  }

  /// The decision for one of the keys.
  fileprivate mutating func decision(_ cost: Int, for found: Found) -> Decision {
    guard !isClosed else { return .closed }
    let name = found.name
    if let owner = found.owner,
      let look = withQueue(of: owner, name.quota, { bucket, now, _ in bucket.peek(cost, at: now) })
    {
      return look
    }
    return found.slot.map { buckets.decision(cost, name.quota, $0) } ?? .closed
  }

  /// Charges all of the keys, those in the table before new ones.
  fileprivate mutating func charge(_ cost: Int, to found: [Found]) {
    guard cost > 0 else { return }
    let names = found.map { $0.name.key }
    let (known, new) = (found.filter { $0.isKnown }, found.filter { !$0.isKnown })
    for bucket in known + new {
      let name = bucket.name
      let hasQueue: Void? = bucket.owner.flatMap { owner in
        withQueue(of: owner, name.quota) { bucket, now, _ in _ = bucket.request(cost, at: now) }
      }
      guard hasQueue == nil else { continue }
      // Looks the slot up again, because entries have moved.
      let current = find(name.key, name.hash).map(Slot.known) ?? bucket.slot ?? .new
      charge(
        cost, to: buckets.bucket(name.quota, current), of: name.key, name.quota, current,
        hash: name.hash, sparing: names)
    }
  }
}
