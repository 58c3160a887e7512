/// The decisions of a keyed limiter on a key's bucket once that is found, as a pure value.
///
/// Time is clamped: an instant before one already seen counts as that one.
struct KeyedBuckets {
  /// The location of a key's bucket.
  enum Slot: Hashable {
    /// An entry of the table.
    case known(Int)
    /// None yet: the bucket is full, and there is room for it.
    case new
    /// None yet: the bucket is full, and a grant evicts another key to make room for it.
    case forgetting
    /// None, and there is no room before an instant; nil if there never is.
    case stranger(PacingInstant?)

    var isStranger: Bool {
      if case .stranger = self { true } else { false }
    }
  }

  var table: BucketTable
  let whenFull: FullTable
  private(set) var latest: PacingInstant
  /// The level of the bucket that new keys share under `FullTable.share`.
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

  /// The answer to a request for `cost`.
  func decision(_ cost: Int, _ quota: Quota, _ slot: Slot) -> Decision {
    let decision = bucket(quota, slot).decision(for: cost, at: latest)
    guard isRefused(slot), case .stranger(let roomAt) = slot else { return decision }
    let isNever = cost > 0 && decision.retryAfter == nil
    let wait = roomAt.map { Duration(nanoseconds: latest.nanoseconds(until: $0)) }
    return Decision(
      isAllowed: cost == 0, remaining: 0, retryAfter: isNever ? nil : cost == 0 ? .zero : wait,
      resetAfter: wait ?? .zero,
      refusedBy: cost == 0 || isNever ? nil : FullTable.refusalName)
  }

  /// Whether the bucket holds `cost`, which is not zero, and the table has room for its key.
  func holds(_ cost: Int, _ bucket: BucketLevel, _ slot: Slot) -> Bool {
    !isRefused(slot) && cost <= bucket.capacity
      && bucket.dueAt(cost) <= bucket.scale.time(latest)
  }

  /// Stores the level of the shared bucket.
  mutating func share(_ stamp: KeyStamp) {
    if whenFull == .share { shared = stamp }
  }

  func bucket(_ quota: Quota, _ slot: Slot) -> BucketLevel {
    switch slot {
    case .known(let entry): BucketLevel(quota, table[entry])
    case .stranger where whenFull == .share: BucketLevel(quota, shared)
    case .new, .forgetting, .stranger: BucketLevel(quota, .full)
    }
  }

  /// Whether the table refuses the key regardless of its bucket.
  func isRefused(_ slot: Slot) -> Bool {
    guard case .stranger = slot else { return false }
    return whenFull == .refuse || whenFull == .forget
  }
}
