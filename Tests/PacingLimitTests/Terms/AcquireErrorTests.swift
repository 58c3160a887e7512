import Pacing
import Testing

@Suite("Acquire errors")
struct AcquireErrorTests {
  @Test("are told apart by their numbers too")
  func numbers() {
    #expect(AcquireError.queueIsFull(maximumWaiters: 5) != .queueIsFull(maximumWaiters: 6))
  }
}
