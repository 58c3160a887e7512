extension Hashable {
  /// The hash by which a keyed limiter finds a key: low bits choose the shard, high bits the slot.
  ///
  /// Words and ASCII strings take two products or more with secrets of the process, not `Hasher`.
  var keyHash: UInt64 {
    if Self.self == UInt64.self || Self.self == Int.self && Int.bitWidth == 64 {
      return unsafe KeyHash.of(unsafeBitCast(self, to: UInt64.self))
    }
    if Self.self == String.self { return unsafe KeyHash.of(unsafeBitCast(self, to: String.self)) }
    return KeyHash.spread(self)
  }
}

private enum KeyHash {
  private static let seed = spread(0)
  private static let factor = spread(1) | 1
  /// The scalars that are canonically equal to ASCII ones.
  private static let twins: [Unicode.Scalar: Unicode.Scalar] = [
    "\u{37e}": ";", "\u{1fef}": "`", "\u{212a}": "K",
  ]

  /// `hashValue` has 32 bits on watchOS; the product by an odd number, a bijection, spreads them.
  static func spread(_ key: some Hashable) -> UInt64 {
    UInt64(UInt(bitPattern: key.hashValue)) &* 0x9e37_79b9_7f4a_7c15
  }

  @inline(__always)
  private static func fold(_ word: UInt64, into hash: UInt64) -> UInt64 {
    let product = (word ^ hash).multipliedFullWidth(by: factor)
    return product.high ^ product.low
  }

  static func of(_ key: UInt64) -> UInt64 { fold(0, into: fold(key, into: seed)) }

  static func of(_ key: String) -> UInt64 {
    let hash = unsafe key.utf8.withContiguousStorageIfAvailable { unsafe ofASCII(.init($0)) }
    if let hash = hash ?? nil { return hash }
    let scalars = key.unicodeScalars
    guard scalars.allSatisfy({ $0.isASCII || twins[$0] != nil }) else { return spread(key) }
    return of(String(String.UnicodeScalarView(scalars.map { twins[$0] ?? $0 })))
  }

  private static func ofASCII(_ bytes: UnsafeRawBufferPointer) -> UInt64? {
    var (hash, union, next) = (seed ^ UInt64(bytes.count), UInt64(0), 0)
    while next < bytes.count {
      // The last word overlaps the one before it; a shorter one is put together.
      let word =
        bytes.count < 8
        ? unsafe bytes.reduce(0) { $0 << 8 | UInt64($1) }
        : unsafe bytes.loadUnaligned(fromByteOffset: min(next, bytes.count - 8), as: UInt64.self)
      (hash, union, next) = (fold(word, into: hash), union | word, next + 8)
    }
    return union & 0x8080_8080_8080_8080 == 0 ? fold(0, into: hash) : nil
  }
}
