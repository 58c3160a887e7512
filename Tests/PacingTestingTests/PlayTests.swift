import Dispatch
import Pacing
import PacingTesting
import TestSupport
import Testing

@Suite("ManualClock: timelines")
struct PlayTests {
  let clock = ManualClock(step: .milliseconds(10))

  /// A debouncer whose values are recorded.
  private func debouncer(
    for wait: Int, into recorder: EventRecorder<Character>
  ) -> Debouncer<Character> {
    Debouncer(for: .milliseconds(wait), clock: clock, handler: recorder.record)
  }

  @Test("performs each mark at its step, the first one now")
  func steps() {
    clock.advance(by: .milliseconds(70))
    let marks = EventRecorder<Character>(clock: clock)
    clock.play("a-(bc)--|", marks.record)
    #expect(marks.values == ["a", "b", "c", "|"])
    #expect(marks.entries.map(\.instant) == [.at(70), .at(90), .at(90), .at(120)])
    #expect(clock.now == .at(120))
    #expect(marks.marbles == "a-(bc)--|")
    clock.play("", marks.record)
    #expect(clock.now == .at(120))
  }

  @Test("one timeline can follow another, at the instant where that ended")
  func following() {
    let marks = EventRecorder<Character>(clock: clock)
    clock.play("a-b", marks.record)
    clock.play("-c-d", marks.record)
    #expect(marks.marbles == "a-bc-d")
  }

  @Test("a timer of a mark's instant runs before it, or after it if asked")
  func ties() {
    for (ties, expected) in [(Ties.timersFirst, "-t-"), (.callsFirst, "---")] as [(Ties, Marbles)] {
      let clock = ManualClock(step: .milliseconds(10))
      let ticks = EventRecorder<Character>(clock: clock)
      let timer = DispatchTimer.scheduled(after: .milliseconds(10), clock: clock) {
        ticks.record("t")
      }
      clock.play("-x-", ties: ties) { _ in timer.cancel() }
      #expect(ticks.marbles == expected)
    }
  }

  @Test("a timer between two steps is on time, whatever comes first", arguments: [true, false])
  func betweenSteps(callsFirst: Bool) {
    let ticks = EventRecorder<Int>(clock: clock)
    let timer = DispatchTimer.scheduled(after: .milliseconds(15), clock: clock) { ticks.record(1) }
    clock.play("abcd", ties: callsFirst ? .callsFirst : .timersFirst) { _ in }
    #expect(ticks.entries.map(\.instant) == [.at(15)])
    #expect(ticks.marbles { _ in "t" } == "--t-", "drawn at the step that follows")
    timer.cancel()
  }

  @Test("timers are late where a step is, and run at the next one")
  func late() {
    let delivered = EventRecorder<Character>(clock: clock)
    let tool = debouncer(for: 20, into: delivered)
    clock.play("a~~~-----") { tool.send($0) }
    #expect(delivered.marbles == "----a----")
    delivered.takeAll()
    // The tool finds out itself what was due before the call.
    clock.play("b~~~c----", ties: .callsFirst) { tool.send($0) }
    #expect(delivered.marbles == "----b-c--")
  }

  @Test("an error of a mark ends the play where it is")
  func errors() {
    #expect(throws: CancellationError.self) {
      try clock.play("a-b---") { if $0 == "b" { throw CancellationError() } }
    }
    #expect(clock.now == .at(20))
  }

  @Test("waits at each step for what runs on queues and on the main actor")
  @MainActor
  func elsewhere() async {
    let (onQueue, onMain) = (
      EventRecorder<Character>(clock: clock), EventRecorder<Character>(clock: clock)
    )
    let queue = DispatchQueue(label: "elsewhere")
    let first = Throttler<Character>(every: .milliseconds(20), clock: clock).handle(
      on: .queue(queue), onQueue.record)
    let second = Throttler<Character>(every: .milliseconds(30), clock: clock).handle(on: .main) {
      mark in
      onMain.record(mark)
    }
    await clock.playAndSettle("abcde------") { mark in
      first.send(mark)
      second.send(mark)
    }
    #expect(onQueue.marbles == "a-b-d-e----")
    #expect(onMain.marbles == "a--c--e----")
  }

  @Test("settles what the code of run begins after a handler", arguments: 1...20)
  func chains(_: Int) async {
    let shown = EventRecorder<Character>(clock: clock)
    let show = Throttler<Character>(every: .milliseconds(10), clock: clock).handle(on: .main) {
      shown.record($0)
    }
    let check = AsyncDebouncer<Character, Character>(for: .milliseconds(20), clock: clock) { $0 }
    // The last one is due in the last step.
    await clock.playAndSettle("a-b--c--") { [clock] name in
      clock.run { if let value = try await check.call(name).value { show.send(value) } }
    }
    #expect(shown.marbles == "--a-b--c")
  }

  @Test("plays into a stream, which ends or fails as it says")
  func streams() async {
    let (values, input) = AsyncStream.makeStream(of: Character.self)
    let seen = EventRecorder<Character>(clock: clock)
    clock.run { await seen.record(from: values) }
    clock.play("a-(bc)--|--", into: input)
    #expect(seen.marbles == "a-(bc)--|--")

    let (failing, other) = AsyncThrowingStream.makeStream(of: Character.self)
    let failed = EventRecorder<Character>(clock: clock)
    clock.run { await failed.record(from: failing) }
    clock.play("a-#b", into: other)
    #expect(failed.marbles == "a-#-")
    guard case .failure(let error)? = failed.entries.last?.event else {
      Issue.record("no failure")
      return
    }
    #expect(error is MarbleFailure)
  }

  #if os(Linux) || os(macOS)
    @Test("a # cannot be played into a stream that does not fail, and a step is positive")
    func preconditions() async {
      await #expect(processExitsWith: .failure) {
        ManualClock().play("a#", into: AsyncStream.makeStream(of: Character.self).continuation)
      }
      await #expect(processExitsWith: .failure) { _ = ManualClock(step: .zero) }
    }
  #endif
}
