/// What a keyed limiter decides with the bucket of a key, once that is found, as a pure value.
///
/// Time is clamped: an instant before one seen already counts as that one.
struct KeyedBuckets {
  /// Where the bucket of a key is.
  enum Slot: Hashable {
    /// In an entry.
    case known(Int)
    /// Nowhere yet: it is full, and there is room for it.
    case new
    /// Nowhere, and there is no room.
    case stranger
  }

  var table: BucketTable
  private let whenFull: FullTable
  private(set) var latest: PacingInstant
  /// When the bucket is full that new keys share, where they do.
  private var shared = KeyStamp.full

  init(maximum: Int, whenFull: FullTable, at now: PacingInstant) {
    table = BucketTable(maximum: maximum)
    self.whenFull = whenFull
    latest = now
  }

  /// Clamps the time.
  mutating func advance(to now: PacingInstant) {
    if latest < now { latest = now }
  }

  /// What someone who asks for `cost` can be told.
  func decision(_ cost: Int, _ quota: Quota, _ slot: Slot) -> Decision {
    let decision = bucket(quota, slot).decision(for: cost, at: latest)
    guard slot == .stranger, whenFull == .refuse else { return decision }
    let wait = Duration(nanoseconds: table.roomAt - latest)
    let retryAfter = cost == 0 ? .zero : decision.retryAfter.map { _ in wait }
    return Decision(
      isAllowed: cost == 0, remaining: 0, retryAfter: retryAfter, resetAfter: wait)
  }

  /// Spends `cost` if it is allowed.
  ///
  /// - Returns: Whether it was.
  mutating func tryAcquire(
    _ cost: Int, _ quota: Quota, _ slot: Slot, hash: UInt64
  ) -> Bool {
    guard cost > 0 else { return true }
    if slot == .stranger, whenFull == .refuse { return false }
    let bucket = bucket(quota, slot)
    guard cost <= bucket.capacity, bucket.earliest(for: cost) <= latest else { return false }
    charge(cost, to: bucket, slot, hash: hash)
    return true
  }

  /// Spends a cost that is allowed.
  mutating func charge(_ cost: Int, _ quota: Quota, _ slot: Slot, hash: UInt64) {
    if cost > 0 { charge(cost, to: bucket(quota, slot), slot, hash: hash) }
  }

  private mutating func charge(
    _ cost: Int, to bucket: BucketLevel, _ slot: Slot, hash: UInt64
  ) {
    var bucket = bucket
    bucket.spend(cost, at: latest, isAwaited: false)
    switch slot {
    case .known(let entry): table[entry] = bucket.stamp
    case .new: table.append(bucket.stamp, hash: hash)
    case .stranger: if whenFull == .share { shared = bucket.stamp }
    }
  }

  private func bucket(_ quota: Quota, _ slot: Slot) -> BucketLevel {
    switch slot {
    case .known(let entry): BucketLevel(quota, table[entry])
    case .stranger where whenFull == .share: BucketLevel(quota, shared)
    case .new, .stranger: BucketLevel(quota, .full)
    }
  }
}
