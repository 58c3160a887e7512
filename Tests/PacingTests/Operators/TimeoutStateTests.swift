import Pacing
import TestSupport
import Testing

@Suite("Timeout of a sequence: the state")
struct TimeoutStateTests {
  @Test("the first limit counts until the first answer, and the other from then on")
  func limits() {
    var state = TimeoutState(first: .milliseconds(5), each: .milliseconds(2))
    state.ask(at: .at(1))
    #expect(state.deadline == .at(6))
    #expect(state.answer() == nil && state.deadline == .distantFuture)
    state.ask(at: .at(7))
    #expect(state.deadline == .at(9))
  }

  @Test("no time runs after the end, a leaving or a failure, which the next answer names")
  func ends() {
    for way in 0..<3 {
      var state = TimeoutState(first: .milliseconds(5), each: .milliseconds(2))
      state.ask(at: .at(0))
      switch way {
      case 0: #expect(state.stop() == nil)
      case 1: #expect(state.cancel() == nil)
      default:
        #expect(state.due(at: .at(5))?.limit == .milliseconds(5))
        #expect(state.answer()?.limit == .milliseconds(5))
      }
      state.ask(at: .at(6))
      #expect(state.isFinished && state.deadline == .distantFuture)
    }
  }
}
