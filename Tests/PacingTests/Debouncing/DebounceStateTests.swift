import Pacing
import TestSupport
import Testing

@Suite("Debounce state")
struct DebounceStateTests {
  private static let wait: Nanoseconds = 10_000_000

  private func state(_ edges: Edges, maximumWait: Duration? = nil) -> DebounceState {
    DebounceState(wait: .milliseconds(10), maximumWait: maximumWait, edges: edges)
  }

  @Test("the quiet period after a leading value begins when the value is decided, even if late")
  func lateLeading() {
    var state = state(.leading)
    #expect(state.send(waiting: Self.wait, at: .at(0)) == .kept)
    #expect(state.deadline == .at(0) && state.idleAt == .at(10))
    state.due(at: .at(7))
    #expect(state.idleAt == .at(17))
  }

  @Test("a flush of a leading value leaves no quiet period behind, however late it is decided")
  func flushedLeading() {
    var state = state(.both)
    #expect(state.send(waiting: Self.wait, at: .at(0)) == .kept)
    state.flush(at: .at(3))
    state.due(at: .at(4))
    #expect(state.idleAt == .distantPast)
  }

  @Test("other settings are adopted without a change to what is pending")
  func adopts() {
    var state = state(.trailing)
    #expect(state.send(waiting: Self.wait, at: .at(0)) == .kept)
    state.adopt(
      settingsOf: DebounceState(
        wait: .milliseconds(3), maximumWait: .milliseconds(8), edges: .leading))
    #expect(state.wait == 3_000_000 && state.maximumWait == 8_000_000 && state.edges == .leading)
    #expect(state.isPending && state.deadline == .at(10))
  }
}
