import Pacing
import Testing

@Suite("Acquire errors")
struct AcquireErrorTests {
  @Test(
    "name their reason, and carry what a caller can act on",
    arguments: [
      (AcquireError.exceedsBurst(cost: 4, burst: 3), AcquireError.Reason.exceedsBurst, nil),
      (.deadline(neededWait: .seconds(2)), .deadline, Duration.seconds(2)),
      (.queueIsFull(maximumWaiters: 5), .queueIsFull, nil),
      (.closed, .closed, nil),
    ])
  func reasons(error: AcquireError, reason: AcquireError.Reason, neededWait: Duration?) {
    #expect(error.reason == reason && error.neededWait == neededWait)
    #expect(!reason.description.isEmpty && !error.description.isEmpty)
  }

  @Test("are told apart by their numbers too")
  func numbers() {
    #expect(AcquireError.queueIsFull(maximumWaiters: 5) != .queueIsFull(maximumWaiters: 6))
    #expect(
      AcquireError.queueIsFull(maximumWaiters: 5).reason
        == AcquireError.queueIsFull(maximumWaiters: 6).reason)
  }
}
