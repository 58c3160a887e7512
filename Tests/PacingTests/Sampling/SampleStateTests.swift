import Pacing
import TestSupport
import Testing

@Suite("Sample state")
struct SampleStateTests {
  private static let period: Nanoseconds = 10_000_000

  @Test("a copy with another start is idle, and its grid begins there")
  func starting() {
    var state = SampleState(period: .milliseconds(10), start: .at(0))
    #expect(state.send(waiting: Self.period, at: .at(3)) == .kept)
    #expect(state.deadline == .at(10))
    var copy = state.starting(at: .at(4))
    #expect(!copy.isPending && copy.deadline == .distantFuture)
    #expect(copy.send(waiting: Self.period, at: .at(5)) == .kept)
    #expect(copy.deadline == .at(14))
  }

  @Test("after the end no value is taken", arguments: [Finish.deliver, .atOnce, .discard])
  func finished(finish: Finish) {
    var state = SampleState(period: .milliseconds(10), start: .at(0))
    state.finish(finish, at: .at(1))
    #expect(state.send(waiting: Self.period, at: .at(2)) == .dropped(.finished))
  }
}
