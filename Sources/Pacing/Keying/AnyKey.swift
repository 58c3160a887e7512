/// A user's key, whose type only those know who put it in and take it out; see `AnyValue`.
struct AnyKey: Hashable, @unchecked Sendable {
  // Made only of keys that are Sendable, and never changed.
  private let key: AnyHashable
  /// Asked for once: through `AnyHashable` it costs several times what it costs a key itself.
  let hash: Int

  init(_ key: some Hashable & Sendable) {
    self.key = AnyHashable(key)
    hash = key.hashValue
  }

  /// The key, taken out as what it was put in.
  func get<Key>(_: Key.Type = Key.self) -> Key { key.base as! Key }

  static func == (lhs: AnyKey, rhs: AnyKey) -> Bool {
    lhs.hash == rhs.hash && lhs.key == rhs.key
  }

  func hash(into hasher: inout Hasher) {
    hasher.combine(hash)
  }
}
