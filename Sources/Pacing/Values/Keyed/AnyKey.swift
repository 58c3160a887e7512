/// A user's key, whose type only those know who put it in and take it out; see `AnyValue`.
struct AnyKey: Hashable, Sendable {
  // Not an `AnyHashable`, which costs several times as much to make and to compare, for it takes
  // numbers of different types for equal.
  private let key: any Hashable & Sendable
  /// Asked for once: a key itself may be long.
  let hash: Int

  init(_ key: some Hashable & Sendable) {
    self.key = key
    hash = key.hashValue
  }

  /// The key, taken out as what it was put in.
  func get<Key>(_: Key.Type = Key.self) -> Key { key as! Key }

  static func == (lhs: AnyKey, rhs: AnyKey) -> Bool {
    lhs.hash == rhs.hash && isEqual(lhs.key, rhs.key)
  }

  /// The keys of a tool are all of one type; two that have the same hash even across tools.
  private static func isEqual<Key: Equatable>(_ key: Key, _ other: any Sendable) -> Bool {
    key == other as! Key
  }

  func hash(into hasher: inout Hasher) {
    hasher.combine(hash)
  }
}
