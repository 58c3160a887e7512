/// A type-erased user value.
///
/// Code that is generic over a user's type requests a dozen types from the runtime at every call. A
/// tool's state and shell work with this type instead, and are compiled once. A value of up to
/// three words needs no allocation. `send` is inlinable, so that a value is erased where its type
/// is known.
@frozen @usableFromInline
struct AnyValue: Sendable {
  @usableFromInline let value: any Sendable

  /// Stands where there is no value.
  static var nothing: AnyValue { AnyValue(()) }

  @inlinable @inline(__always)
  init(_ value: some Sendable) {
    self.value = value
  }

  /// The value, cast to its original type.
  ///
  /// Name the type if an optional is expected: the cast to an optional costs more.
  @inlinable
  func get<Value>(_: Value.Type = Value.self) -> Value { Self.cast(value) }

  // Opens the existential first: a cast from a known type costs less.
  @inlinable
  static func cast<Held, Value>(_ held: Held) -> Value { held as! Value }
}

/// A type-erased user key.
struct AnyKey: Hashable, Sendable {
  // Not `AnyHashable`, which costs several times as much to make and compare, because it treats
  // equal numbers of different types as equal.
  private let key: any Hashable & Sendable
  /// Computed once, because a key may be long.
  let hash: UInt32

  init(_ key: some Hashable & Sendable) {
    self.key = key
    hash = UInt32(truncatingIfNeeded: key.hashValue)
  }

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

  // The hash is one of `Hasher` already, with the process's seed: a dictionary need not hash it
  // once more.
  func _rawHashValue(seed: Int) -> Int { Int(truncatingIfNeeded: hash) ^ seed }
}
