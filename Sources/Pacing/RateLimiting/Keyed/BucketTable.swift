/// The buckets of many keys, found by hash, as a pure value.
///
/// It is an open-addressing table over contiguous entries. The owner keeps the keys in the same
/// order and compares and hashes them, so nothing here depends on their type.
///
/// An entry whose bucket is full is dead. It stays until the table is out of room or is swept; then
/// the live entries move into a table that fits them, larger or smaller than before. A table at its
/// maximum makes room by a random sample.
///
/// - Complexity: O(1) on average. With a key of eight bytes an entry takes from 21 to 28 bytes,
///   plus four to six at rates at which tokens fall due between two nanoseconds.
struct BucketTable {
  /// For each slot zero, or eight bits of the hash and the entry's number, which starts at one.
  private var slots = ContiguousArray<UInt32>()
  private(set) var nanoseconds = ContiguousArray<Nanoseconds>()
  /// Empty as long as all parts are zero.
  private var parts = ContiguousArray<UInt32>()
  /// The number of entries for which there is room.
  private(set) var capacity = 0
  let maximum: Int
  private var random: SplitMix64

  init(maximum: Int, seed: UInt64 = .random(in: .min ... .max)) {
    // An entry's number has 24 bits.
    self.maximum = min(maximum, 1 << 24 - 2)
    random = SplitMix64(seed: seed)
  }

  var count: Int { nanoseconds.count }

  @inline(__always)
  func find(_ hash: UInt64, where isItsKey: (Int) -> Bool) -> Int? {
    guard !slots.isEmpty else { return nil }
    let tag = Self.tag(hash)
    var place = self.place(hash)
    while slots[place] != 0 {
      if slots[place] & Self.tagMask == tag {
        let entry = entry(at: place)
        if isItsKey(entry) { return entry }
      }
      place = next(place)
    }
    return nil
  }

  @inline(__always)
  subscript(entry: Int) -> KeyStamp {
    get { KeyStamp(nanoseconds: nanoseconds[entry], parts: parts.isEmpty ? 0 : parts[entry]) }
    set {
      nanoseconds[entry] = newValue.nanoseconds
      if newValue.parts != 0 { keepParts() }
      if !parts.isEmpty { parts[entry] = newValue.parts }
    }
  }

  @inline(__always)
  func bucket(_ quota: Quota, _ slot: TableSlot) -> BucketLevel {
    if case .known(let entry) = slot { return BucketLevel(quota, self[entry]) }
    return BucketLevel(quota, .full)
  }

  /// The answer to a request, whose cost is spent from `bucket` if it is allowed.
  func request(
    _ cost: Int, _ bucket: inout BucketLevel, _ slot: TableSlot, at now: PacingInstant
  ) -> Decision {
    guard case .refused(let roomAt) = slot else { return bucket.request(cost, at: now) }
    return .tableIsFull(
      for: roomAt?.wait(from: now), isFree: cost == 0, isPossible: cost <= bucket.capacity)
  }

  /// Appends an entry to a table that has room for it.
  mutating func append(_ stamp: KeyStamp, hash: UInt64) {
    var place = self.place(hash)
    while slots[place] != 0 { place = next(place) }
    slots[place] = Self.tag(hash) | UInt32(count + 1)
    nanoseconds.append(0)
    if !parts.isEmpty { parts.append(0) }
    self[count - 1] = stamp
  }

  /// Removes an entry; the last one takes its index.
  mutating func remove(_ entry: Int, hash: (_ entry: Int) -> UInt64) {
    let last = count - 1
    let stamp = self[last]
    unlink(slot(of: entry, hash(entry)), hash: hash)
    if entry != last {
      let slot = slot(of: last, hash(last))
      slots[slot] = slots[slot] & Self.tagMask | UInt32(entry + 1)
      self[entry] = stamp
    }
    nanoseconds.removeLast()
    if !parts.isEmpty { parts.removeLast() }
  }

  /// Drops dead entries, and makes room for new ones; returns those that stay, in their new order.
  mutating func shed(for new: Int, at now: PacingInstant, hash: (_ entry: Int) -> UInt64) -> [Int] {
    let old = self
    let living = (0..<count).filter { !old[$0].isFull(at: now) }
    capacity = min(maximum, Self.capacity(for: living.count + new))
    // A fifth of the slots stays empty, to keep probes short.
    slots = ContiguousArray(repeating: 0, count: capacity + capacity / 4 + 1)
    nanoseconds = []
    nanoseconds.reserveCapacity(capacity)
    parts = []
    for entry in living { append(old[entry], hash: hash(entry)) }
    return living
  }

  static func capacity(for count: Int) -> Int { max(16, count + count / 3) }

  private mutating func keepParts() {
    guard parts.isEmpty else { return }
    parts.reserveCapacity(capacity)
    parts.append(contentsOf: repeatElement(0, count: count))
  }

  /// Entries at eight random places or more, in the order in which their buckets are full; all that
  /// are not spared if there are few, and none only if all are spared.
  mutating func sample(of size: Int = 1, sparing spared: [Int]) -> [Int] {
    let wanted = max(size, 8)
    var sample = [Int]()
    if count > 2 * (wanted + spared.count) {
      for _ in 0..<wanted {
        let entry = Int.random(in: 0..<count, using: &random)
        if !spared.contains(entry), !sample.contains(entry) { sample.append(entry) }
      }
    }
    // Only a request for very many keys has a sample that is too small.
    if sample.count < size { sample = (0..<count).filter { !spared.contains($0) } }
    return sample.sorted { self[$0].isBefore(self[$1]) }
  }

  func livingCount(at now: PacingInstant) -> Int { (0..<count).count { !self[$0].isFull(at: now) } }

  private func slot(of entry: Int, _ hash: UInt64) -> Int {
    var place = self.place(hash)
    while self.entry(at: place) != entry { place = next(place) }
    return place
  }

  /// Frees a slot by backward shift: moves up later entries that it kept from their home slot.
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
    // Bits other than those that choose the shard.
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

  private func distance(_ start: Int, _ end: Int) -> Int {
    end >= start ? end - start : end - start + slots.count
  }
}

/// Where a key's bucket is.
enum TableSlot: Hashable {
  /// An entry of the table.
  case known(Int)
  /// None yet: the bucket is full, and there is room for it.
  case new
  /// None yet: the bucket is full, and a grant evicts another key to make room for it.
  case forgetting
  /// None, and there is no room before an instant; nil if no time can be named.
  case refused(PacingInstant?)

  var isOfNewKey: Bool { if case .known = self { false } else { true } }

  var roomAt: PacingInstant? { if case .refused(let instant) = self { instant } else { nil } }
}

extension Decision {
  /// The answer of a table that has no room for a key for a time; nil if none can be named.
  static func tableIsFull(
    for wait: Duration?, isFree: Bool = false, isPossible: Bool = true
  ) -> Decision {
    let isRefused = !isFree && isPossible
    return Decision(
      isAllowed: isFree, remaining: 0,
      retryAfter: isRefused ? wait : isFree ? .zero : nil, resetAfter: wait ?? .zero,
      refusedBy: isRefused ? Limit.Name.table : nil, isPossible: isPossible)
  }
}
