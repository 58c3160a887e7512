import Pacing
import TestSupport
import Testing

@Suite("Throttle state")
struct ThrottleStateTests {
  @Test("other settings are adopted without a change to what is pending")
  func adopts() {
    var state = ThrottleState(interval: .milliseconds(10), edges: .trailing)
    #expect(state.send(waiting: 10_000_000, at: .at(0)) == .kept)
    state.adopt(settingsOf: ThrottleState(interval: .milliseconds(3), edges: .leading))
    #expect(state.wait == 3_000_000 && state.edges == .leading)
    #expect(state.isPending && state.deadline == .at(10))
  }
}
