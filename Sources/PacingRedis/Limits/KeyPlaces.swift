internal import Pacing

/// Where busy keys are remembered, found by the keys themselves: neither a name nor the units of a
/// quota are made for a decision from a lease.
///
/// A fixed-size table with one key per entry. A key that is not in it costs its name.
struct KeyPlaces: Sendable {
  /// A key of any type.
  typealias AnyKey = AnyObject & Sendable

  private struct Entry {
    let hash: Int
    let quota: Quota
    let key: any AnyKey
    let place: KeyMemory.Place
  }

  private static let count = 1024

  /// Empty until a key is put into it.
  private var entries = [Entry?]()

  /// The place of a key under a quota.
  func find(_ hash: Int, _ quota: Quota, where isKey: (any AnyKey) -> Bool) -> KeyMemory.Place? {
    guard !entries.isEmpty, let entry = entries[hash & (Self.count - 1)], entry.hash == hash,
      entry.quota == quota, isKey(entry.key)
    else { return nil }
    return entry.place
  }

  /// Puts a key in, in place of another.
  mutating func insert(
    _ key: any AnyKey, hash: Int, _ quota: Quota, at place: KeyMemory.Place
  ) -> (any AnyKey)? {
    if entries.isEmpty { entries = Array(repeating: nil, count: Self.count) }
    let index = hash & (Self.count - 1)
    defer { entries[index] = Entry(hash: hash, quota: quota, key: key, place: place) }
    return entries[index]?.key
  }
}

/// A key, boxed.
final class KeyBox<Key: Hashable & Sendable>: Sendable {
  let key: Key

  init(_ key: Key) {
    self.key = key
  }

  /// Whether names can be found by keys.
  ///
  /// Not if a key may hold a string: strings that are equal have names of different bytes.
  static var hasOneName: Bool { _isPOD(Key.self) }
}
