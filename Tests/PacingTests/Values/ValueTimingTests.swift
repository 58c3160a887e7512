import Pacing
import TestSupport
import Testing

/// The rules alone: no value, no lock, no clock.
@Suite("ValueTiming")
struct ValueTimingTests {
  private static let wait: Nanoseconds = 10_000_000

  private func debounce(_ edges: Edges, maximumWait: Duration? = nil) -> ValueSettings {
    .debounce(.milliseconds(10), maximumWait: maximumWait, edges: edges)
  }

  @Test("the quiet period after a leading value begins when the value is decided, even if late")
  func lateLeading() {
    let settings = debounce(.leading)
    var timing = ValueTiming()
    #expect(timing.send(waiting: Self.wait, settings, at: .at(0)) == .kept)
    #expect(timing.deadline == .at(0))
    timing.due(settings, at: .at(7))
    #expect(timing.send(waiting: Self.wait, settings, at: .at(16)) == .dropped(.edge))
    #expect(timing.send(waiting: Self.wait, settings, at: .at(26)) == .kept)
  }

  @Test("a flush of a leading value leaves no quiet period behind, however late it is decided")
  func flushedLeading() {
    let settings = debounce(.leading)
    var timing = ValueTiming()
    #expect(timing.send(waiting: Self.wait, settings, at: .at(0)) == .kept)
    timing.flush(settings, at: .at(3))
    timing.due(settings, at: .at(4))
    #expect(timing.send(waiting: Self.wait, settings, at: .at(5)) == .kept)
  }

  @Test("other settings change nothing for what is pending")
  func changedSettings() {
    for (old, new) in [
      (debounce(.trailing), ValueSettings.debounce(.zero, maximumWait: .zero, edges: .leading)),
      (.throttle(.milliseconds(10), edges: .trailing), .throttle(.zero, edges: .leading)),
    ] {
      var timing = ValueTiming()
      #expect(timing.send(waiting: Self.wait, old, at: .at(0)) == .kept)
      #expect(timing.send(waiting: 0, new, at: .at(1)) == .dropped(.edge))
      #expect(timing.isPending && timing.deadline == .at(10))
    }
  }

  @Test("of a suspended tool, a value merged into an overdue one brings its own deadline")
  func suspended() {
    let settings = debounce(.trailing, maximumWait: .milliseconds(25))
    var timing = ValueTiming()
    #expect(timing.send(waiting: Self.wait, settings, at: .at(0)) == .kept)
    #expect(timing.send(waiting: Self.wait, settings, at: .at(12)) == .merged)
    #expect(timing.deadline == .at(10), "it stays due while a delivery runs")
    #expect(timing.send(waiting: Self.wait, settings, isSuspended: true, at: .at(13)) == .merged)
    #expect(timing.deadline == .at(23))
    #expect(timing.send(waiting: Self.wait, settings, isSuspended: true, at: .at(24)) == .merged)
    #expect(timing.deadline == .at(25), "the maximum wait holds")
  }

  @Test("the rules, step by step: a window or a period of 10")
  func rules() {
    typealias Step = (at: Int, deadline: Int)
    let scenes: [(ValueSettings, [Step])] = [
      (.audit(.milliseconds(10)), [(0, 10), (4, 10), (12, 22)]),
      (.sample(every: .milliseconds(10), start: .at(3)), [(3, 13), (12, 13), (14, 23)]),
      (.throttle(.milliseconds(10), edges: .both), [(0, 0), (4, 10), (6, 10), (13, 20), (31, 31)]),
      (.throttle(.milliseconds(10), edges: .trailing), [(0, 10), (4, 10), (12, 20), (31, 41)]),
      (debounce(.trailing), [(0, 10), (4, 14), (15, 25)]),
      (debounce(.both), [(0, 0), (4, 14), (13, 23), (24, 24)]),
    ]
    for (settings, steps) in scenes {
      var timing = ValueTiming()
      for step in steps {
        let now = PacingInstant.at(step.at)
        if timing.deadline <= now { timing.due(settings, at: timing.deadline) }
        _ = timing.send(waiting: settings.wait, settings, at: now)
        #expect(timing.deadline == .at(step.deadline), "\(settings.rule) at \(step.at)")
      }
    }
  }
}
