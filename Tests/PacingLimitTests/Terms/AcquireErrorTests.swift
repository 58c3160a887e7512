import Pacing
import Testing

@Suite("Acquire errors")
struct AcquireErrorTests {
  @Test(
    "say in a sentence what a caller can act on",
    arguments: [
      (AcquireError.exceedsBurst(cost: 4, burst: 3), "a cost of 4"),
      (.deadline(neededWait: .seconds(2)), "after 2.0 seconds"),
      (.deadline(neededWait: nil), "before the deadline"),
      (.queueIsFull(maximumWaiters: 5), "its limit is 5"),
      (.closed, "closed"),
    ])
  func sentences(error: AcquireError, part: String) {
    #expect(error.description.contains(part))
  }

  @Test("are told apart by their numbers too")
  func numbers() {
    #expect(AcquireError.queueIsFull(maximumWaiters: 5) != .queueIsFull(maximumWaiters: 6))
  }
}
