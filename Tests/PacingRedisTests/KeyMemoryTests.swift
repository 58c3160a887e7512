import Pacing
import Testing

@testable import PacingRedis

@Suite("Key memory")
struct KeyMemoryTests {
  // Another thread may note an answer between a caller's reading of the clock and its lock.
  @Test("a caller whose reading is older than the answer is not refused what the answer leaves")
  func olderReading() throws {
    let terms = try BucketTerms(Quota(rate: .perSecond(5), burst: 10))
    var memory = KeyMemory(atLeast: 1, lease: nil)
    let name = BucketName("a")
    let asked = PacingInstant(nanoseconds: 1_000)
    func decide(atDebtOf tokens: Int) -> Decision? {
      memory.note(debt: terms.units(tokens), name, terms, askedAt: asked)
      return memory.decide(1, name, terms, at: PacingInstant(nanoseconds: 900))
    }
    #expect(decide(atDebtOf: 4) == nil)
    #expect(decide(atDebtOf: 9) == nil)
    let refusal = try #require(decide(atDebtOf: 10))
    #expect(!refusal.isAllowed && refusal.remaining == 0)
    #expect(refusal.retryAfter == .milliseconds(200) && refusal.resetAfter == .seconds(2))
  }
}
