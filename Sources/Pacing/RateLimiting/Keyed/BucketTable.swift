/// The buckets of many keys, found by the hashes of those keys, as a pure value.
///
/// Open addressing over entries that lie side by side. The keys lie beside them, in the same order:
/// who uses the table keeps them, compares them and hashes them, so nothing here depends on their
/// type.
///
/// An entry whose bucket is full again is no entry. It stays until the entries have no room left;
/// then those that still count move into a table that fits them, larger or smaller than before.
/// There is nothing else to clean up, and no timer.
///
/// - Complexity: O(1) on the average. With a key of eight bytes an entry takes from 21 to 32 bytes,
///   four to six more at rates at which tokens fall due between two nanoseconds.
struct BucketTable {
  /// For each place zero, or eight bits of the hash and the number of the entry, from one on.
  private var slots = ContiguousArray<UInt32>()
  private var nanoseconds = ContiguousArray<Nanoseconds>()
  /// Empty as long as there are none.
  private var parts = ContiguousArray<UInt32>()

  /// For how many entries there is room.
  private(set) var capacity = 0
  private let maximum: Int
  /// A table of the largest size is not looked through again before: someone's bucket is full then.
  private(set) var roomAt = PacingInstant.distantPast

  /// - Precondition: `maximum` is positive.
  init(maximum: Int) {
    // An entry's number has 24 bits.
    self.maximum = min(maximum, 1 << 24 - 2)
  }

  var count: Int { nanoseconds.count }

  /// The entry of a key.
  @inline(__always)
  func find(_ hash: UInt64, where isItsKey: (Int) -> Bool) -> Int? {
    guard !slots.isEmpty else { return nil }
    let tag = Self.tag(hash)
    var place = self.place(hash)
    while slots[place] != 0 {
      if slots[place] & Self.tagMask == tag {
        let entry = Int(slots[place] & ~Self.tagMask) - 1
        if isItsKey(entry) { return entry }
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

  /// Adds an entry behind the last one, in a table that has room for it.
  mutating func append(_ stamp: KeyStamp, hash: UInt64) {
    nanoseconds.append(0)
    if !parts.isEmpty { parts.append(0) }
    self[count - 1] = stamp
    link(count - 1, hash: hash)
  }

  /// Fills a bucket, which is then no entry.
  mutating func reset(_ entry: Int) {
    self[entry] = .full
    roomAt = .distantPast
  }

  /// Whether it is worth while to drop what no longer counts, to make room for new entries.
  func mayShed(at now: PacingInstant) -> Bool { capacity < maximum || roomAt <= now }

  /// Drops what no longer counts, and makes room for new entries as far as it may.
  ///
  /// - Returns: The entries that stay, in their new order.
  mutating func shed(
    for new: Int, at now: PacingInstant, hash: (_ entry: Int) -> UInt64
  ) -> [Int] {
    let old = self
    let living = (0..<count).filter { !old[$0].isFull(at: now) }
    let wanted = living.count + new
    capacity = min(maximum, max(16, wanted + wanted / 2))
    // A fifth of the places stays empty, so that a search ends soon.
    slots = ContiguousArray(repeating: 0, count: capacity + capacity / 4 + 1)
    nanoseconds = []
    nanoseconds.reserveCapacity(capacity)
    parts = []
    for entry in living { append(old[entry], hash: hash(entry)) }
    if capacity == maximum { postpone(from: now) }
    return living
  }

  /// Says when it is worth while to look through all entries again: not before the first bucket is
  /// full, and where most are still in use not at each that follows.
  private mutating func postpone(from now: PacingInstant) {
    guard let first = nanoseconds.min(), let last = nanoseconds.max() else { return }
    roomAt = PacingInstant(nanoseconds: first) + 1
    guard count > maximum - maximum / 8 else { return }
    roomAt = max(roomAt, now + (PacingInstant(nanoseconds: last) - now) / 32)
  }

  private mutating func keepParts() {
    guard parts.isEmpty else { return }
    parts.reserveCapacity(capacity)
    parts.append(contentsOf: repeatElement(0, count: count))
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
