/// Maps keys to slot numbers: open addressing with linear probing.
///
/// The index holds numbers only; keys are compared in the table of slots. It is divided into parts
/// that grow and shrink independently: rehashing a million numbers at once would stall every caller
/// that waits for the tool's lock.
struct SlotIndex: Sendable {
  fileprivate struct Part {
    /// Slot numbers, or `empty`.
    ///
    /// The length is a power of two, or zero.
    var cells = ContiguousArray<Int32>()
    var count = 0
  }

  /// The binary logarithm of the number of parts.
  private static var bits: Int { 6 }
  fileprivate static var empty: Int32 { -1 }
  fileprivate static var leastLength: Int { 4 }

  /// Empty if the index is empty.
  private var parts = ContiguousArray<Part>()
  private var count = 0

  /// The matching number among those with a hash; nil if there is none.
  @inline(__always)
  func number(hash: Int, where isIncluded: (Int) -> Bool) -> Int? {
    guard count > 0 else { return nil }
    let part = Self.part(of: hash)
    return parts[part].cell(hash: hash, where: isIncluded).map { Int(parts[part].cells[$0]) }
  }

  /// Adds a number.
  ///
  /// - Parameters:
  ///   - number: A number that is not in the index.
  ///   - hash: The hash of its key.
  ///   - hashes: Returns the hash of the key of a number in the index.
  mutating func insert(_ number: Int, hash: Int, hashes: (Int) -> Int) {
    if parts.isEmpty { parts = ContiguousArray(repeating: Part(), count: 1 << Self.bits) }
    count += 1
    parts[Self.part(of: hash)].insert(Int32(number), hash: hash, hashes: hashes)
  }

  /// Removes a number that still has its hash; the parameters are those of `insert`.
  mutating func remove(_ number: Int, hash: Int, hashes: (Int) -> Int) {
    parts[Self.part(of: hash)].remove(number, hash: hash, hashes: hashes)
    count -= 1
    if count == 0 { parts = [] }
  }

  /// Replaces a number with another one for the same key.
  mutating func replace(_ number: Int, by other: Int, hash: Int) {
    let part = Self.part(of: hash)
    guard let cell = parts[part].cell(hash: hash, where: { $0 == number }) else { return }
    parts[part].cells[cell] = Int32(other)
  }

  /// Selects the part by the high bits; the low bits select the cell.
  private static func part(of hash: Int) -> Int {
    Int(truncatingIfNeeded: UInt(bitPattern: hash) >> (UInt.bitWidth - bits))
  }
}

extension SlotIndex.Part {
  private var mask: Int { cells.count - 1 }

  @inline(__always)
  func cell(hash: Int, where isIncluded: (Int) -> Bool) -> Int? {
    guard !cells.isEmpty else { return nil }
    var cell = hash & mask
    while cells[cell] != SlotIndex.empty {
      if isIncluded(Int(cells[cell])) { return cell }
      cell = (cell + 1) & mask
    }
    return nil
  }

  mutating func insert(_ number: Int32, hash: Int, hashes: (Int) -> Int) {
    // The load factor is at most 3/4.
    if (count + 1) * 4 > cells.count * 3 {
      resize(to: max(SlotIndex.leastLength, cells.count * 2), hashes: hashes)
    }
    place(number, hash: hash)
    count += 1
  }

  mutating func remove(_ number: Int, hash: Int, hashes: (Int) -> Int) {
    guard let cell = cell(hash: hash, where: { $0 == number }) else { return }
    var (hole, next) = (cell, (cell + 1) & mask)
    // Backward-shift deletion: an entry fills the hole unless its home cell lies after the hole.
    while cells[next] != SlotIndex.empty {
      let first = hashes(Int(cells[next])) & mask
      if (next - first) & mask >= (next - hole) & mask {
        cells[hole] = cells[next]
        hole = next
      }
      next = (next + 1) & mask
    }
    cells[hole] = SlotIndex.empty
    count -= 1
    if cells.count > SlotIndex.leastLength, count < cells.count / 8 {
      resize(to: cells.count / 2, hashes: hashes)
    }
  }

  private mutating func resize(to length: Int, hashes: (Int) -> Int) {
    let numbers = cells
    cells = ContiguousArray(repeating: SlotIndex.empty, count: length)
    for number in numbers where number != SlotIndex.empty {
      place(number, hash: hashes(Int(number)))
    }
  }

  private mutating func place(_ number: Int32, hash: Int) {
    var cell = hash & mask
    while cells[cell] != SlotIndex.empty { cell = (cell + 1) & mask }
    cells[cell] = number
  }
}
