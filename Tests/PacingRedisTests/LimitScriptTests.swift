import Pacing
import Testing

@testable import PacingRedis

@Suite("The script")
struct LimitScriptTests {
  @Test("has the digest by which servers know it")
  func digest() {
    #expect(LimitScript.source.utf8.count == 1832)
    #expect(SHA1.hexadecimal(LimitScript.source) == LimitScript.digest)
    #expect(SHA1.hexadecimal("abc") == "a9993e364706816aba3e25717850c26c9cd0d89d")
  }

  @Test("is called with a digest or a source, and the words of the command")
  func calls() throws {
    let terms = try BucketTerms(Quota(rate: .perSecond(100), burst: 20))
    let inquiry = Inquiry("user-7", terms, cost: 3, count: 2, wait: 5)
    let call = inquiry.call()
    #expect(call.command == "EVALSHA" && call.keys == ["user-7"])
    #expect(
      call.words == [LimitScript.digest, "1", "user-7", "2", "5", "1", "10000", "200000", "30000"])
    let full = inquiry.call(.source(LimitScript.source))
    #expect(full.command == "EVAL" && full.words.first == LimitScript.source)
    #expect(full.arguments == call.arguments)
  }

  @Test(
    "reads no reply that it cannot have made",
    arguments: [
      [], [1], [1, 0, 0], [-1, 0], [3, 0], [1, -1], [1, 1 << 53 + 1], [.max, .max], [.min, .min],
      [1, 9999], [2, 19_999],
    ] as [[Int64]])
  func malformed(numbers: [Int64]) throws {
    let terms = try BucketTerms(Quota(rate: .perSecond(100), burst: 20))
    #expect(Inquiry("a", terms, cost: 1, count: 2).reply(numbers) == nil)
    #expect(Inquiry("a", terms, cost: 0, count: -1).reply([-1]) == nil)
    #expect(Inquiry("a", terms, cost: 1, count: 2).reply([2, 1 << 53]) != nil)
    #expect(Inquiry("a", terms, cost: 1, count: 2).reply([2, 20_000]) != nil)
    let penalty = Inquiry(
      [Inquiry.Bucket(name: "a", terms: terms, cost: .max)], count: 2, wait: 1)
    #expect(penalty.reply([2, 1 << 53]) != nil)
    #expect(Inquiry("a", terms, cost: .max, count: 2).reply([2, 1 << 53]) == nil)
  }

  @Test(
    "slots are those of a cluster",
    arguments: [
      ("123456789", 12_739), ("{user1000}.following", 3443), ("{user1000}.followers", 3443),
      ("", 0),
    ])
  func slots(key: String, slot: Int) {
    #expect(HashSlot.slot(of: key) == slot)
    #expect(HashSlot.slot(of: "a{\(key)}b{c}") == slot || key.isEmpty || key.contains("{"))
    #expect(HashSlot.slot(of: "foo{{bar}}zap") == HashSlot.slot(of: "{bar"))
    #expect(HashSlot.slot(of: "foo{}{bar}") != HashSlot.slot(of: "bar"))
  }

  @Test("a quota that fits its numbers is counted, another is refused when it is made")
  func bounds() throws {
    let day = Rate(1, per: .seconds(86_400))
    #expect(try BucketTerms(Quota(rate: day, burst: 104_249)).period == 86_400_000_000)
    let error = #expect(throws: ConfigurationError.self) {
      try BucketTerms(Quota(rate: day, burst: 104_250))
    }
    #expect(error?.parameter == "quota")
    #expect(throws: ConfigurationError.self) {
      try SharedRateLimiter<String>(
        checking: day, burst: 104_250, in: .inMemory(), onFailure: .deny
      ) { $0 }
    }
    #expect(throws: ConfigurationError.self) {
      try SharedRateLimiter<String>(
        checking: day, burst: 1, in: .inMemory(), onFailure: .deny, memory: 0
      ) { $0 }
    }
    #expect(throws: ConfigurationError.self) { try StorePolicy(validatingTimeout: .zero) }
    #expect(throws: ConfigurationError.self) {
      try StorePolicy(validatingTimeout: .seconds(1), parts: 20_000)
    }
    #expect(throws: ConfigurationError.self) { try Lease(validatingAtMost: 0, for: .seconds(1)) }
    #expect(throws: ConfigurationError.self) { try Lease(validatingAtMost: 1, for: .zero) }
  }
}

/// SHA-1, to check a constant.
private enum SHA1 {
  static func hexadecimal(_ text: String) -> String {
    var bytes = Array(text.utf8)
    let count = UInt64(bytes.count) * 8
    bytes.append(0x80)
    while bytes.count % 64 != 56 { bytes.append(0) }
    bytes += (0..<8).map { UInt8(truncatingIfNeeded: count >> (56 - 8 * $0)) }
    var state: [UInt32] = [0x6745_2301, 0xefcd_ab89, 0x98ba_dcfe, 0x1032_5476, 0xc3d2_e1f0]
    for start in stride(from: 0, to: bytes.count, by: 64) { add(bytes[start..<start + 64], &state) }
    return state.map { word in
      let digits = String(word, radix: 16)
      return String(repeating: "0", count: 8 - digits.count) + digits
    }.joined()
  }

  private static func add(_ block: ArraySlice<UInt8>, _ state: inout [UInt32]) {
    var words = stride(from: block.startIndex, to: block.endIndex, by: 4).map { place in
      block[place..<place + 4].reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
    }
    for place in 16..<80 {
      words.append(
        rotated(words[place - 3] ^ words[place - 8] ^ words[place - 14] ^ words[place - 16], 1))
    }
    var (a, b, c, d, e) = (state[0], state[1], state[2], state[3], state[4])
    for (place, word) in words.enumerated() {
      let (mix, constant): (UInt32, UInt32) =
        switch place {
        case 0..<20: (b & c | ~b & d, 0x5a82_7999)
        case 20..<40: (b ^ c ^ d, 0x6ed9_eba1)
        case 40..<60: (b & c | b & d | c & d, 0x8f1b_bcdc)
        default: (b ^ c ^ d, 0xca62_c1d6)
        }
      let next = rotated(a, 5) &+ mix &+ e &+ constant &+ word
      (a, b, c, d, e) = (next, a, rotated(b, 30), c, d)
    }
    for (index, word) in [a, b, c, d, e].enumerated() { state[index] &+= word }
  }

  private static func rotated(_ word: UInt32, _ count: UInt32) -> UInt32 {
    word << count | word >> (32 - count)
  }
}
