/// A type-erased user key; see `AnyValue`.
struct AnyKey: Hashable, Sendable {
  // Not `AnyHashable`, which costs several times as much to make and compare, because it treats
  // equal numbers of different types as equal.
  private let key: any Hashable & Sendable
  /// Computed once, because a key may be long.
  let hash: Int

  init(_ key: some Hashable & Sendable) {
    self.key = key
    hash = key.hashValue
  }

  /// The key, cast to its original type.
  func get<Key>(_: Key.Type = Key.self) -> Key { key as! Key }

  static func == (lhs: AnyKey, rhs: AnyKey) -> Bool {
    lhs.hash == rhs.hash && isEqual(lhs.key, rhs.key)
  }

  /// Requires that both keys have the same type, as all keys of a tool have.
  private static func isEqual<Key: Equatable, Other>(_ key: Key, _ other: Other) -> Bool {
    // Opens the existential first: a cast from a known type costs less.
    key == other as! Key
  }

  func hash(into hasher: inout Hasher) {
    hasher.combine(hash)
  }
}
