/// What happens to a new key when a ``KeyedRateLimiter`` is at its maximum number of keys.
///
/// Keys already in the table are not affected, except that `forget` may evict one.
public struct FullTable: Hashable, Sendable {
  enum Kind: Hashable {
    case forget
    case refuse
    case allow
    case share
  }

  let kind: Kind

  /// The `refusedBy` of a decision if a full table refuses.
  public static let refusalName = "table"

  /// Evicts a key, which loses its debt: the default.
  ///
  /// The victim is the key whose bucket is full first, of eight sampled at random. Only a grant to
  /// a new key evicts one. As long as all keys together are granted at most half of `maximumKeys`
  /// times the rate, a new key evicts one that still has a debt with a probability of at most
  /// 1/256. Above `maximumKeys` times the rate, with invented keys that spend their whole burst,
  /// any key can be evicted.
  public static let forget = FullTable(kind: .forget)

  /// Refuses new keys until the first key in the table has a full bucket.
  ///
  /// `retryAfter` is exactly that time, and `refusedBy` is ``refusalName``. Keys that wait or are
  /// paused are not counted: one of them may make room sooner, and without others `retryAfter` is
  /// nil.
  public static let refuse = FullTable(kind: .refuse)

  /// Grants: a new key is not limited until there is room.
  public static let allow = FullTable(kind: .allow)

  /// Charges new keys to one shared bucket, with the quota of the key that asks.
  ///
  /// Each shard of the table has one such bucket. A request for several new keys is charged to it
  /// once, with the quota of the first. Callers that wait for it are served in order,
  /// whatever their keys; while they wait, it keeps the quota of the first of them, and a
  /// cost above the burst of that one is refused.
  public static let share = FullTable(kind: .share)
}
