import Pacing
import PacingHTTP
import TestSupport
import Testing

@Suite("RateLimitFields: hostile input")
struct FieldFuzzTests {
  private static let names = [
    "RateLimit", "RateLimit-Policy", "Retry-After", "Date", "RateLimit-Limit", "RateLimit-Reset",
    "RateLimit-Remaining", "X-RateLimit-Limit", "X-RateLimit-Remaining", "X-RateLimit-Reset",
  ]

  private static let seeds = [
    #""burst";q=100;w=60, "day";q=1000;w=86400;pk=:cHsdsRa894==:"#,
    #""default";r=50;t=30;pk=:dHJpYWwxMjEzMjM=:, hour;r=0;x=1.5;y=?1;z=@7;d=%"a""#,
    "limit=100, remaining=50;a, reset=5", "120", "1700000030.5", "100, 100;w=60",
    "Sun, 06 Nov 1994 08:49:37 GMT", "Sunday, 06-Nov-94 08:49:37 GMT", "Sun Nov  6 08:49:37 1994",
    "", "9223372036854775807", "-9223372036854775808", "999999999999999", "99999999999999999999",
  ]

  private static let pieces =
    [";", ",", "=", "\"", "\\", ":", "?", "@", "%", "(", ")", " ", "\t", "\r\n", "-", ".", "*"]
    + ["0", "9", "a", "Z", "ü", "\u{0}", "\u{7f}", "٣", "🕰", "999999999999999", "r=0", "t=", "q="]

  @Test("never traps, and reads again what it read", arguments: Soak.seeds(200))
  func mutations(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    for _ in 0..<20 {
      var answer = [String: String]()
      for name in Self.names where Bool.random(using: &random) {
        answer[name] = Self.mutated(using: &random)
      }
      let date: Duration? =
        [nil, .zero, .seconds(Int64.max), .seconds(Int64.min), .seconds(1_700_000_000)]
        .randomElement(using: &random)!
      let read = RateLimitFields(at: date) { answer[$0] }
      if let pause = read.pause() {
        #expect((.zero ... .seconds(86_400)).contains(pause), "seed \(seed): \(answer)")
      }
      // Times become whole seconds where they are written.
      let written = Dictionary(uniqueKeysWithValues: read.fields.map { ($0.name, $0.value) })
      let again = RateLimitFields { written[$0] }
      #expect(again.policies == read.policies, "seed \(seed): \(answer)")
      let remaining = [again, read].map { $0.limits.map(\.remaining) }
      #expect(remaining[0] == remaining[1], "seed \(seed): \(answer)")
      for (_, value) in read.fields + read.olderFields {
        #expect(value.utf8.allSatisfy { (0x20...0x7e).contains($0) }, "seed \(seed): \(answer)")
      }
    }
  }

  @Test("text of nothing but a field's pieces is read or ignored", arguments: Soak.seeds(200))
  func noise(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    for _ in 0..<20 {
      let text = (0..<Int.random(in: 0...30, using: &random))
        .map { _ in (Self.pieces + Self.seeds).randomElement(using: &random)! }.joined()
      for name in Self.names {
        let read = RateLimitFields(at: .seconds(1_700_000_000)) { $0 == name ? text : nil }
        let isSane = read.pause().map { (.zero ... .seconds(86_400)).contains($0) } ?? true
        #expect(isSane, "seed \(seed): \(name): \(text)")
        let numbers = read.limits.map(\.remaining) + read.policies.map(\.quota)
        #expect(numbers.allSatisfy { $0 >= 0 }, "seed \(seed): \(name): \(text)")
      }
    }
  }

  @Test("a date that cannot be, or that is at the end of time, asks for no wait that cannot be")
  func dates() {
    let texts = [
      "Sun, 06 Nov 9999 08:49:37 GMT", "Sun, 31 Dec 0000 23:59:60 GMT",
      "Sun, 30 Feb 2026 00:00:00 GMT", "Sun, 00 Jan 2026 00:00:00 GMT",
      "Sun, 29 Feb 1900 00:00:00 GMT", "Sun, 06 Nov 1994 24:00:00 GMT",
      "Sun, -6 Nov 1994 08:49:37 GMT", "Sun, 06 Nov 99999 08:49:37 GMT",
      "Sun, ０6 Nov 1994 08:49:37 GMT", "Sun Nov  6 08:49:37 94", "Sun Nov", "Sun,,,,,,", "Sun",
    ]
    let clocks: [Duration?] = [nil, .zero, .seconds(Int64.max), .seconds(Int64.min)]
    for text in texts {
      for clock in clocks {
        for names in [["Retry-After"], ["Date"], ["Retry-After", "Date"]] {
          let read = RateLimitFields(at: clock) { names.contains($0) ? text : nil }
          let pause = read.pause() ?? .zero
          #expect((.zero ... .seconds(86_400)).contains(pause), "\(text)")
        }
      }
    }
  }

  private static func mutated(using random: inout SplitMix64) -> String {
    var characters = Array(seeds.randomElement(using: &random)!)
    for _ in 0..<Int.random(in: 0...4, using: &random) {
      let place = Int.random(in: 0...characters.count, using: &random)
      switch Int.random(in: 0..<3, using: &random) {
      case 0:
        characters.insert(contentsOf: pieces.randomElement(using: &random)!, at: place)
      case 1 where place < characters.count:
        characters.remove(at: place)
      default:
        characters = Array(characters[..<place])
      }
    }
    return String(characters)
  }
}
