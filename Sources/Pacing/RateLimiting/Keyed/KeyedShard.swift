/// One of the parts of a keyed limiter: a lock and the keys that fall to it.
final class KeyedShard<Key: Hashable & Sendable>: Sendable {
  let state: Locked<KeyedShardState<Key>>

  init(maximum: Int, whenFull: FullTable, at now: PacingInstant) {
    state = Locked(KeyedShardState(maximum: maximum, whenFull: whenFull, at: now))
  }
}

/// A key as a table knows it.
struct KeyName<Key: Hashable & Sendable>: Sendable {
  let key: Key
  let quota: Quota
  let hash: UInt64

  init(_ key: Key, _ quota: Quota) {
    self.key = key
    self.quota = quota
    hash = Self.hash(key)
  }

  static func hash(_ key: Key) -> UInt64 { UInt64(bitPattern: Int64(key.hashValue)) }
}
