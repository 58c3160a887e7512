import Pacing
import PacingRedis
import Testing

@testable import pace

@Suite("SharedLines")
struct SharedLinesTests {
  @Test("fails for what ends a wait, unless it was interrupted")
  func failures() {
    let lost = StoreError(reason: "timeout")
    #expect(
      SharedLines.failure(for: lost) == CommandError(lost.description, status: .inputOutput))
    let refused = AcquireError.deadline(neededWait: .seconds(9))
    #expect(
      SharedLines.failure(for: refused) == CommandError("\(refused)", status: .inputOutput))
    #expect(SharedLines.failure(for: CancellationError()) == nil)
  }

  @Test(
    "takes no part of a reply for its numbers",
    arguments: [
      (.list([.integer(1), .integer(5)]), [1, 5]), (.list([]), []), (.null, []), (.integer(1), []),
      (.list([.integer(1), .null, .integer(5)]), []), (.list([.integer(1), .failure("no")]), []),
    ] as [(RedisConnection.Value, [Int64])])
  func numbers(reply: RedisConnection.Value, numbers: [Int64]) {
    #expect(reply.numbers == numbers)
  }
}
