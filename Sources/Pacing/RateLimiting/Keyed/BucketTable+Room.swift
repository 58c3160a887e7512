/// Eviction: room for new keys in a table at its maximum.
extension BucketTable {
  /// The number of entries sampled to choose a victim.
  static var sampleSize: Int { 8 }

  /// The entry to evict: of a random sample, the one whose bucket is full first; nil if all are
  /// spared.
  mutating func victim(sparing spared: [Int]) -> Int? {
    var best: Int?
    func consider(_ entry: Int) {
      guard !spared.contains(entry) else { return }
      if best.map({ self[entry].isBefore(self[$0]) }) ?? true { best = entry }
    }
    guard count > Self.sampleSize else {
      for entry in 0..<count { consider(entry) }
      return best
    }
    for _ in 0..<Self.sampleSize {
      consider(Int.random(in: 0..<count, using: &random))
    }
    // Only a request for very many keys spares a whole sample.
    return best ?? (0..<count).first { !spared.contains($0) }
  }

  /// The instant at which `new` entries that are not spared are full, nil if there are fewer.
  ///
  /// - Complexity: O(1) for one entry if the first to be full has not changed; O(n) otherwise.
  mutating func roomAt(for new: Int, sparing spared: [Int]) -> PacingInstant? {
    guard new <= count - spared.count else { return nil }
    if new == 1, spared.isEmpty {
      if firstFull == nil {
        firstFull = (0..<count).reduce(.distantFuture) { min($0, self[$1].fullAt) }
      }
      return firstFull
    }
    let others = (0..<count).filter { !spared.contains($0) }
    return others.map { self[$0].fullAt }.sorted()[new - 1]
  }

  /// An entry whose bucket is full, nil if there is none.
  func firstFullEntry(at now: PacingInstant, sparing spared: [Int]) -> Int? {
    (0..<count).first { self[$0].isFull(at: now) && !spared.contains($0) }
  }

  /// The number of entries whose buckets are not full.
  func livingCount(at now: PacingInstant) -> Int {
    (0..<count).count { !self[$0].isFull(at: now) }
  }
}
