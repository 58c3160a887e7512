import Pacing
import TestSupport
import Testing

@testable import PacingHTTP

/// What a server sends may be more than `Int` holds, which has 32 bits on watchOS.
@Suite("RateLimitFields: numbers beyond 32 bits")
struct WideNumberTests {
  static let bounds: [Int64] = [
    0x7fff_ffff, 0x8000_0000, 0xffff_ffff, 0x1_0000_0000, 99_999_999_999, 999_999_999_999_999,
  ]

  @Test("are read as they are, and clamped where they are counts", arguments: bounds)
  func counts(bound: Int64) {
    for number in [bound - 1, bound] {
      let limits = [
        ["RateLimit": "\"\";r=\(number);t=\(number)", "RateLimit-Policy": "\"\";q=\(number)"],
        ["RateLimit": "limit=\(number), remaining=\(number), reset=\(number)"],
      ].map { RateLimitFieldsTests.read($0) }
      for fields in limits {
        #expect(fields.policies == [QuotaPolicy("", quota: Int(clamping: number))])
        #expect(fields.limits.map(\.remaining) == [Int(clamping: number)])
        #expect(fields.limits.map(\.resetAfter) == [.seconds(number)])
      }
      let older = RateLimitFieldsTests.read([
        "X-RateLimit-Limit": "\(number)", "X-RateLimit-Remaining": "\(number)",
      ])
      #expect(older.policies.map(\.quota) == [Int(clamping: number)])
      #expect(older.limits.map(\.remaining) == [Int(clamping: number)])
    }
  }

  @Test("are instants in seconds, and in milliseconds from a hundred thousand million on")
  func instants() {
    let now: Int64 = 1_700_000_000
    func wait(_ text: String) -> Duration? {
      RateLimitFieldsTests.read(["Retry-After": text], at: .seconds(now)).retryAfter
    }
    for number in Self.bounds.dropLast(2) {
      #expect(wait("\(number)") == .seconds(max(0, number - now)))
      #expect(wait("\(number).5") == .seconds(max(0, number + 1 - now)))
      #expect(wait("\(number)s") == .seconds(number))
    }
    #expect(wait("100000000000") == .zero)
    #expect(wait("4102444800000") == .seconds(4_102_444_800 - now))
    #expect(wait("999999999999999") == .milliseconds(999_999_999_999_999 - now * 1000))
  }

  @Test(
    "are dates after 2038",
    arguments: [
      ("Tue, 19 Jan 2038 03:14:07 GMT", 0x7fff_ffff),
      ("Tue, 19 Jan 2038 03:14:08 GMT", 0x8000_0000),
      ("Tuesday, 19-Jan-38 03:14:08 GMT", 0x8000_0000), ("Tue Jan 19 03:14:08 2038", 0x8000_0000),
      ("Sun, 07 Feb 2106 06:28:16 GMT", 0x1_0000_0000),
      ("Fri, 31 Dec 9999 23:59:59 GMT", 253_402_300_799),
    ] as [(String, Int64)])
  func dates(text: String, seconds: Int64) {
    #expect(HTTPDate.seconds(ByteScanner(text), near: 1_700_000_000) == seconds)
    let read = RateLimitFieldsTests.read(["Retry-After": text], at: .seconds(seconds - 3))
    #expect(read.retryAfter == .seconds(3))
    #expect(
      RateLimitFieldsTests.read(["Retry-After": "\(seconds)", "Date": text]).retryAfter == .zero)
  }
}
