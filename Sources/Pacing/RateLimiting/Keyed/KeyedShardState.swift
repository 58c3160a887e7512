/// The buckets of some keys, as a pure value.
///
/// Time is clamped: an instant before one seen already counts as that one.
struct KeyedShardState<Key: Hashable & Sendable> {
  typealias Name = KeyName<Key>

  /// Where the bucket of a key is.
  enum Standing: Hashable {
    /// In an entry.
    case known(Int)
    /// Nowhere yet: it is full, and there is room for it.
    case new
    /// Nowhere, and there is no room.
    case stranger
  }

  var table: BucketTable<Key>
  private let whenFull: FullTable
  private var latest: PacingInstant
  /// When the bucket is full that new keys share, where they do.
  private var shared = KeyStamp.full

  init(maximum: Int, whenFull: FullTable, at now: PacingInstant) {
    table = BucketTable(maximum: maximum)
    self.whenFull = whenFull
    latest = now
  }

  /// Clamps the time.
  mutating func advance(to now: PacingInstant) -> PacingInstant {
    if latest < now { latest = now }
    return latest
  }

  /// Finds a key's bucket, or room for it.
  @inline(__always)
  mutating func standing(_ name: Name) -> Standing {
    if let entry = table.find(name.key, hash: name.hash) { return .known(entry) }
    return table.makeRoom(for: 1, at: latest, hash: Name.hash) ? .new : .stranger
  }

  /// Finds the buckets of several keys, with room for all that have none; those that share one have it
  /// once.
  mutating func standings(_ names: [Name]) -> [(name: Name, standing: Standing)] {
    let new = names.count { table.find($0.key, hash: $0.hash) == nil }
    // Entries move when room is made, so that comes first.
    let hasRoom = new == 0 || table.makeRoom(for: new, at: latest, hash: Name.hash)
    var standings = [(name: Name, standing: Standing)]()
    for name in names {
      let entry = table.find(name.key, hash: name.hash)
      let standing = entry.map(Standing.known) ?? (hasRoom ? .new : .stranger)
      let isShared = standing == .stranger && standings.contains { $0.standing == .stranger }
      if !isShared { standings.append((name, standing)) }
    }
    return standings
  }

  /// What someone who asks for `cost` can be told.
  func decision(_ cost: Int, _ name: Name, _ standing: Standing) -> Decision {
    let bucket = bucket(name, standing)
    let decision = bucket.decision(for: cost, at: latest)
    guard standing == .stranger, whenFull == .refuse, decision.isAllowed, cost > 0 else {
      return decision
    }
    let wait = Duration(nanoseconds: table.roomAt - latest)
    return Decision(isAllowed: false, remaining: 0, retryAfter: wait, resetAfter: wait)
  }

  /// Whether `cost` is allowed: the same, without what there is to tell.
  @inline(__always)
  func allows(_ cost: Int, _ name: Name, _ standing: Standing) -> Bool {
    if standing == .stranger, whenFull == .refuse { return cost == 0 }
    let bucket = bucket(name, standing)
    return cost == 0 || cost <= bucket.capacity && bucket.earliest(for: cost) <= latest
  }

  /// Spends a cost that is allowed.
  @inline(__always)
  mutating func charge(_ cost: Int, _ name: Name, _ standing: Standing) {
    guard cost > 0 else { return }
    var bucket = bucket(name, standing)
    bucket.spend(cost, at: latest, isAwaited: false)
    switch standing {
    case .known(let entry): table[entry] = bucket.stamp
    case .new: table.insert(name.key, hash: name.hash, bucket.stamp)
    case .stranger: if whenFull == .share { shared = bucket.stamp }
    }
  }

  /// Forgets what a key has spent.
  mutating func reset(_ name: Name) {
    guard let entry = table.find(name.key, hash: name.hash) else { return }
    table[entry] = .full
    table.roomAt = .distantPast
  }

  @inline(__always)
  private func bucket(_ name: Name, _ standing: Standing) -> BucketLimit {
    switch standing {
    case .known(let entry): BucketLimit(name.quota, table[entry])
    case .stranger where whenFull == .share: BucketLimit(name.quota, shared)
    case .new, .stranger: BucketLimit(name.quota, .full)
    }
  }
}
