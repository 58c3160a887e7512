import Pacing

extension Rows {
  /// Decisions for one of many keys that are all remembered, and values of keys that are pending.
  static var keys: [Row] {
    let debouncer = KeyedDebouncer<UInt64, Int>(for: .seconds(86_400)) { consume(($0, $1)) }
    return [
      decisions("UInt64") { UInt64($0) },
      decisions("String") { "a key of a client, number \($0)" },
      Row("KeyedDebouncer.send, 1k UInt64 keys", count: 20_000) { count in
        for number in 0..<count { debouncer.send(number, for: UInt64(number % 1_000)) }
        precondition(debouncer.keyCount == min(count, 1_000))
      },
    ]
  }

  private static func decisions<Key: Hashable & Sendable>(
    _ name: String, _ key: @escaping (Int) -> Key
  ) -> Row {
    let number = 100_000
    let limiter = limiter(ofKeys: number, key)
    let picked = (0..<number).map { key(($0 &* 7_919) % number) }
    return Row("KeyedRateLimiter.tryAcquire, 100k \(name) keys", count: number) { count in
      for key in picked.prefix(count) { consume(limiter.tryAcquire(for: key)) }
    }
  }

  /// A limiter that remembers so many keys, for their buckets take days to be full again.
  static func limiter<Key: Hashable & Sendable>(
    ofKeys count: Int, _ key: (Int) -> Key
  ) -> KeyedRateLimiter<Key> {
    let limiter = KeyedRateLimiter<Key>(
      rate: .every(.seconds(86_400)), burst: 1_000_000, maximumKeys: 2 * count)
    for index in 0..<count { precondition(limiter.tryAcquire(for: key(index))) }
    precondition(limiter.keyCount == count)
    return limiter
  }
}
