/// Keys and their stamps, as a pure value: open addressing over entries that lie side by side.
///
/// An entry whose bucket is full again is no entry. It stays until the entries have no room left; then
/// those that still count move into a table that fits them, larger or smaller than before. There is
/// nothing else to clean up, and no timer.
///
/// - Complexity: O(1) on the average. For a key of eight bytes an entry takes from 21 to 32 bytes, four
///   to six more at rates at which tokens fall due between two nanoseconds.
struct BucketTable<Key: Hashable> {
  /// For each place zero, or eight bits of the hash and the number of the entry, from one on.
  private var slots = ContiguousArray<UInt32>()
  private var keys = ContiguousArray<Key>()
  private var nanoseconds = ContiguousArray<Nanoseconds>()
  /// Empty as long as there are none.
  private var parts = ContiguousArray<UInt32>()

  /// For how many entries there is room.
  private var capacity = 0
  private let maximum: Int
  /// A table of the largest size is not looked through again before: someone's bucket is full then.
  var roomAt = PacingInstant(nanoseconds: .min)

  /// The keys that were dropped, to be released outside the lock.
  private var dropped = ContiguousArray<Key>()

  /// - Precondition: `maximum` is positive.
  init(maximum: Int) {
    self.maximum = min(maximum, Self.mostEntries)
  }

  private static var mostEntries: Int { 1 << 24 - 1 }

  var count: Int { keys.count }

  /// The entry of a key.
  @inline(__always)
  func find(_ key: Key, hash: UInt64) -> Int? {
    guard !slots.isEmpty else { return nil }
    let tag = Self.tag(hash)
    var place = self.place(hash)
    while slots[place] != 0 {
      if slots[place] & Self.tagMask == tag {
        let entry = Int(slots[place] & ~Self.tagMask) - 1
        if keys[entry] == key { return entry }
      }
      place = next(place)
    }
    return nil
  }

  @inline(__always)
  subscript(entry: Int) -> KeyStamp {
    get {
      KeyStamp(nanoseconds: nanoseconds[entry], parts: parts.isEmpty ? 0 : parts[entry])
    }
    set {
      nanoseconds[entry] = newValue.nanoseconds
      if newValue.parts != 0 { keepParts() }
      if !parts.isEmpty { parts[entry] = newValue.parts }
    }
  }

  /// Makes room for new entries, dropping those that no longer count.
  ///
  /// - Returns: Whether there is room.
  mutating func makeRoom(for new: Int, at now: PacingInstant, hash: (Key) -> UInt64) -> Bool {
    if keys.count + new <= capacity { return true }
    if capacity == maximum, now < roomAt { return false }
    rebuild(for: new, at: now, hash: hash)
    return keys.count + new <= capacity
  }

  /// Adds an entry for which room was made.
  mutating func insert(_ key: Key, hash: UInt64, _ stamp: KeyStamp) {
    keys.append(key)
    nanoseconds.append(0)
    if !parts.isEmpty { parts.append(0) }
    self[keys.count - 1] = stamp
    link(keys.count - 1, hash: hash)
  }

  /// Takes the keys that were dropped, to be released outside the lock.
  @inline(__always)
  mutating func takeDropped() -> ContiguousArray<Key> {
    guard !dropped.isEmpty else { return [] }
    defer { dropped = [] }
    return dropped
  }

  // MARK: Moving

  private mutating func rebuild(for new: Int, at now: PacingInstant, hash: (Key) -> UInt64) {
    let old = self
    let living = old.keys.indices.filter { !old[$0].isFull(at: now) }
    let wanted = living.count + new
    capacity = min(maximum, max(16, wanted + wanted / 2))
    // A fifth of the places stays empty, so that a search ends soon.
    slots = ContiguousArray(repeating: 0, count: capacity + capacity / 4 + 1)
    keys = []
    keys.reserveCapacity(capacity)
    nanoseconds = []
    nanoseconds.reserveCapacity(capacity)
    parts = []
    for entry in living { insert(old.keys[entry], hash: hash(old.keys[entry]), old[entry]) }
    dropped = old.keys
    if capacity == maximum { postpone(from: now) }
  }

  /// Says when it is worth while to look through all entries again: not before the first bucket is
  /// full, and not at each that follows.
  private mutating func postpone(from now: PacingInstant) {
    guard let first = nanoseconds.min(), let last = nanoseconds.max() else { return }
    roomAt = PacingInstant(nanoseconds: first) + 1
    guard keys.count > maximum - maximum / 8 else { return }
    roomAt = max(roomAt, now + (PacingInstant(nanoseconds: last) - now) / 32)
  }

  private mutating func keepParts() {
    guard parts.isEmpty else { return }
    parts.reserveCapacity(capacity)
    parts.append(contentsOf: repeatElement(0, count: keys.count))
  }

  private mutating func link(_ entry: Int, hash: UInt64) {
    var place = self.place(hash)
    while slots[place] != 0 { place = next(place) }
    slots[place] = Self.tag(hash) | UInt32(entry + 1)
  }

  // MARK: Places

  private static var tagMask: UInt32 { 0xff00_0000 }

  @inline(__always)
  private static func tag(_ hash: UInt64) -> UInt32 {
    // Other bits than those that choose the part.
    UInt32(truncatingIfNeeded: hash >> 6) << 24
  }

  @inline(__always)
  private func place(_ hash: UInt64) -> Int {
    Int(truncatingIfNeeded: hash.multipliedFullWidth(by: UInt64(slots.count)).high)
  }

  @inline(__always)
  private func next(_ place: Int) -> Int { place + 1 == slots.count ? 0 : place + 1 }
}
