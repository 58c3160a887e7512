/// The buckets of many keys, found by the hashes of those keys, as a pure value.
///
/// Open addressing over entries that lie side by side. The keys lie beside them, in the same order:
/// the owner of the table keeps them, compares them and hashes them, so nothing here depends on
/// their type.
///
/// An entry whose bucket is full again is no entry. It stays until the entries have no room left or
/// a sweep comes by; then those that still count move into a table that fits them, larger or
/// smaller than before. What makes room for a new key in a table that may not grow is in
/// `BucketTable+Room.swift`.
///
/// A key is at most `reach` places from where its hash points, so keys that share a hash cost no
/// more than that; one that finds no place is crowded out.
///
/// - Complexity: O(1) on the average. With a key of eight bytes an entry takes from 21 to 32 bytes,
///   four to six more at rates at which tokens fall due between two nanoseconds.
struct BucketTable {
  /// For each place zero, or eight bits of the hash and the number of the entry, from one on.
  private var slots = ContiguousArray<UInt32>()
  private(set) var nanoseconds = ContiguousArray<Nanoseconds>()
  /// Empty as long as there are none.
  private var parts = ContiguousArray<UInt32>()

  /// For how many entries there is room.
  private(set) var capacity = 0
  let maximum: Int
  /// The instant at which the first bucket is full, nil if it has to be looked for.
  var firstFull: PacingInstant?
  /// Where samples are taken.
  var random: SplitMix64

  /// - Precondition: `maximum` is positive.
  init(maximum: Int, seed: UInt64 = .random(in: .min ... .max)) {
    // An entry's number has 24 bits.
    self.maximum = min(maximum, 1 << 24 - 2)
    random = SplitMix64(seed: seed)
  }

  var count: Int { nanoseconds.count }

  /// The entry of a key.
  @inline(__always)
  func find(_ hash: UInt64, where isItsKey: (Int) -> Bool) -> Int? {
    guard !slots.isEmpty else { return nil }
    let tag = Self.tag(hash)
    var place = self.place(hash)
    var left = Self.reach
    while slots[place] != 0, left > 0 {
      if slots[place] & Self.tagMask == tag {
        let entry = entry(at: place)
        if isItsKey(entry) { return entry }
      }
      place = next(place)
      left -= 1
    }
    return nil
  }

  @inline(__always)
  subscript(entry: Int) -> KeyStamp {
    get {
      KeyStamp(nanoseconds: nanoseconds[entry], parts: parts.isEmpty ? 0 : parts[entry])
    }
    set {
      if let first = firstFull {
        let isFirst = self[entry].fullAt == first
        firstFull = newValue.fullAt <= first ? newValue.fullAt : isFirst ? nil : first
      }
      write(newValue, at: entry)
    }
  }

  private mutating func write(_ stamp: KeyStamp, at entry: Int) {
    nanoseconds[entry] = stamp.nanoseconds
    if stamp.parts != 0 { keepParts() }
    if !parts.isEmpty { parts[entry] = stamp.parts }
  }

  /// Adds an entry behind the last one, in a table that has room for it.
  ///
  /// - Returns: Whether its hash found a place.
  mutating func append(_ stamp: KeyStamp, hash: UInt64) -> Bool {
    guard link(count, hash: hash) else { return false }
    nanoseconds.append(0)
    if !parts.isEmpty { parts.append(0) }
    write(stamp, at: count - 1)
    if let first = firstFull { firstFull = min(first, stamp.fullAt) }
    return true
  }

  /// Removes an entry; the last one takes its number.
  mutating func remove(_ entry: Int, hash: (_ entry: Int) -> UInt64) {
    let last = count - 1
    let stamp = self[last]
    if let first = firstFull, self[entry].fullAt == first { firstFull = nil }
    unlink(slot(of: entry, hash(entry)), hash: hash)
    if entry != last {
      let slot = slot(of: last, hash(last))
      slots[slot] = slots[slot] & Self.tagMask | UInt32(entry + 1)
      write(stamp, at: entry)
    }
    nanoseconds.removeLast()
    if !parts.isEmpty { parts.removeLast() }
  }

  /// Gives an entry, and its place, to another key that reaches that place.
  mutating func replace(_ entry: Int, _ old: UInt64, with stamp: KeyStamp, hash: UInt64) {
    slots[slot(of: entry, old)] = Self.tag(hash) | UInt32(entry + 1)
    self[entry] = stamp
  }

  /// The entries on the last places that a hash reaches, if all that it reaches are taken.
  func crowd(_ hash: UInt64) -> [Int]? {
    guard slots.count > Self.reach else { return nil }
    var place = self.place(hash)
    var crowd = [Int]()
    for step in 0..<Self.reach {
      guard slots[place] != 0 else { return nil }
      if step >= Self.reach - Self.sampleSize { crowd.append(entry(at: place)) }
      place = next(place)
    }
    return crowd
  }

  /// Drops what no longer counts, and makes room for new entries as far as it may.
  ///
  /// - Returns: The entries that stay, in their new order.
  mutating func shed(
    for new: Int, at now: PacingInstant, hash: (_ entry: Int) -> UInt64
  ) -> [Int] {
    let old = self
    let living = (0..<count).filter { !old[$0].isFull(at: now) }
    capacity = min(maximum, Self.capacity(for: living.count + new))
    // A fifth of the places stays empty, so that a search ends soon.
    slots = ContiguousArray(repeating: 0, count: capacity + capacity / 4 + 1)
    nanoseconds = []
    nanoseconds.reserveCapacity(capacity)
    parts = []
    firstFull = nil
    return living.filter { append(old[$0], hash: hash($0)) }
  }

  /// How many entries a table has room for that holds so many.
  static func capacity(for count: Int) -> Int { max(16, count + count / 2) }

  private mutating func keepParts() {
    guard parts.isEmpty else { return }
    parts.reserveCapacity(capacity)
    parts.append(contentsOf: repeatElement(0, count: count))
  }

  // MARK: Places

  /// How far a key may be from where its hash points.
  private static var reach: Int { 1024 }

  private mutating func link(_ entry: Int, hash: UInt64) -> Bool {
    var place = self.place(hash)
    for _ in 0..<min(Self.reach, slots.count) {
      if slots[place] == 0 {
        slots[place] = Self.tag(hash) | UInt32(entry + 1)
        return true
      }
      place = next(place)
    }
    return false
  }

  private func slot(of entry: Int, _ hash: UInt64) -> Int {
    var place = self.place(hash)
    while self.entry(at: place) != entry { place = next(place) }
    return place
  }

  /// Frees a place, and moves those behind it up that were kept from it.
  private mutating func unlink(_ slot: Int, hash: (_ entry: Int) -> UInt64) {
    var hole = slot
    var place = next(slot)
    while slots[place] != 0 {
      let home = self.place(hash(entry(at: place)))
      if distance(home, place) >= distance(hole, place) {
        slots[hole] = slots[place]
        hole = place
      }
      place = next(place)
    }
    slots[hole] = 0
  }

  private static var tagMask: UInt32 { 0xff00_0000 }

  @inline(__always)
  private static func tag(_ hash: UInt64) -> UInt32 {
    // Other bits than those that choose the part.
    UInt32(truncatingIfNeeded: hash >> 12) << 24
  }

  @inline(__always)
  private func entry(at place: Int) -> Int { Int(slots[place] & ~Self.tagMask) - 1 }

  @inline(__always)
  private func place(_ hash: UInt64) -> Int {
    Int(truncatingIfNeeded: hash.multipliedFullWidth(by: UInt64(slots.count)).high)
  }

  @inline(__always)
  private func next(_ place: Int) -> Int { place + 1 == slots.count ? 0 : place + 1 }

  /// How many places are from one to another.
  private func distance(_ start: Int, _ end: Int) -> Int {
    end >= start ? end - start : end - start + slots.count
  }
}
