/// What happens to a new key when a ``KeyedRateLimiter`` is at its maximum number of keys.
///
/// Keys with waiters or a pause are never evicted. A pause, a penalty and a settlement evict no key
/// with a debt: they return false if there is no room.
public enum FullTable: Hashable, Sendable {
  /// Evicts a key, which loses its debt: the default.
  ///
  /// The victim is the key whose bucket is full first, of eight sampled at random. Only a grant to
  /// a new key evicts one; if all keys wait or are paused, the new key is refused. While all keys
  /// together are granted at most half of `maximumKeys` times the rate, the victim still has a debt
  /// with a probability of at most 1/256; with more, any key can be evicted.
  case forget

  /// Refuses new keys.
  ///
  /// `refusedBy` is ``refusalName``, and `retryAfter` is a time after which there is room unless
  /// other new keys take it: the earliest at which a bucket is full, of eight sampled at random.
  case refuse

  /// The `refusedBy` of a decision if a full table refuses.
  public static let refusalName: Limit.Name = "table"
}
