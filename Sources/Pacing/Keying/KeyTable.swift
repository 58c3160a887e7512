/// A dictionary in parts, none of which takes long to grow.
///
/// A dictionary of a million entries takes a tenth of a second to grow, under the lock of the tool that has
/// it; a part of one takes a millisecond.
struct KeyTable<Key: Hashable, Entry> {
  /// How many parts there are, as a power of two.
  private static var bits: Int { 6 }
  static var parts: Range<Int> { 0..<(1 << bits) }

  private var dictionaries = Array(repeating: [Key: Entry](), count: parts.count)
  private(set) var count = 0

  subscript(key: Key) -> Entry? {
    get { dictionaries[part(of: key)][key] }
    set {
      let part = part(of: key)
      let before = dictionaries[part].count
      dictionaries[part][key] = newValue
      count += dictionaries[part].count - before
    }
  }

  /// The keys of one part.
  func keys(in part: Int) -> [Key] { Array(dictionaries[part].keys) }

  private func part(of key: Key) -> Int {
    // The dictionaries use the low bits.
    Int(truncatingIfNeeded: UInt(bitPattern: key.hashValue) >> (UInt.bitWidth - Self.bits))
  }
}

extension KeyTable: Sendable where Key: Sendable, Entry: Sendable {}
