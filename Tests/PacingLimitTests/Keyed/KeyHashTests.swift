import TestSupport
import Testing

@testable import Pacing

@Suite("The hash by which a limiter finds a key")
struct KeyHashTests {
  @Test(
    "strings that are equal have one hash, whatever scalars they are made of",
    arguments: ["", "id-", "user-0123456789/"])
  func equality(prefix: String) {
    // Those that have an equal: the first planes have all scalars with a decomposition.
    var hashes = [String: UInt64]()
    for number in UInt32(0)..<0x3_0000 {
      guard let scalar = Unicode.Scalar(number) else { continue }
      let key = prefix + String(scalar)
      guard let other = hashes.updateValue(key.keyHash, forKey: key) else { continue }
      #expect(key.keyHash == other, "U+\(String(number, radix: 16))")
    }
    #expect((prefix + "\u{212a}").keyHash == (prefix + "K").keyHash)
    #expect((prefix + "e\u{301}").keyHash == (prefix + "\u{e9}").keyHash)
    #expect((prefix + "\u{37e}\u{1fef}\u{e9}").keyHash == (prefix + ";`e\u{301}").keyHash)
  }

  @Test("a string's hash does not depend on its storage")
  func storage() {
    let long = "a key of more than fifteen bytes"
    for length in 0...long.count {
      let part = long.prefix(length)
      #expect(String(part).keyHash == part.map { String($0) }.joined().keyHash)
      #expect(String(part).keyHash == String(decoding: Array(part.utf16), as: UTF16.self).keyHash)
    }
  }

  @Test("keys of one pattern fall to slots and shards as evenly as random ones", arguments: 0..<8)
  func spread(pattern: Int) {
    let count = 20_000
    let hashes = (0..<count).map { number -> UInt64 in
      switch pattern {
      case 0: number.keyHash
      case 1: (number << 40).keyHash
      case 2: UInt64(number).byteSwapped.keyHash
      case 3: (-number * 4096).keyHash
      case 4: "user-\(number)".keyHash
      case 5: "\(number)@example.com/of/a/long/path".keyHash
      case 6: (String(repeating: "a", count: number % 1000) + "\(number / 1000)").keyHash
      default: UInt8(truncatingIfNeeded: number).keyHash
      }
    }
    let distinct = pattern == 7 ? 256 : count
    #expect(Set(hashes).count == distinct)
    // The low bits choose the shard, the high ones the slot. Random keys would leave 31 of 4096
    // cells empty.
    for shift in [0, 52] where distinct == count {
      let cells = Set(hashes.map { $0 >> shift & 0xfff })
      #expect(cells.count > 4_000, "bits from \(shift)")
    }
  }
}
