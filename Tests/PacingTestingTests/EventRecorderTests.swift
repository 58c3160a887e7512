import Dispatch
import Pacing
import PacingTesting
import TestSupport
import Testing

@Suite("EventRecorder")
struct EventRecorderTests {
  let clock = ManualClock(step: .milliseconds(10))

  @Test("notes values with their times, and draws them up to now")
  func draws() {
    clock.advance(by: .milliseconds(500))
    let recorder = EventRecorder<Int>(clock: clock)
    #expect(recorder.marbles { _ in "x" } == "-")
    recorder.record(1)
    clock.advance(by: .milliseconds(30))
    recorder.record(2)
    recorder.record(3)
    clock.advance(by: .milliseconds(1))
    #expect(recorder.values == [1, 2, 3])
    #expect(recorder.entries.map(\.instant) == [.at(500), .at(530), .at(530)])
    #expect(recorder.marbles { Character("\($0)") } == "1--(23)-")
    #expect(recorder.takeAll() == [1, 2, 3])
    #expect(recorder.values.isEmpty && recorder.entries.isEmpty)
    clock.advance(by: .milliseconds(10))
    recorder.record(4)
    #expect(
      recorder.marbles { Character("\($0)") } == "-4", "a drawing begins where it was emptied")
  }

  @Test("notes how a sequence ends")
  func sequences() async {
    let recorder = EventRecorder<Int>(clock: clock)
    await recorder.record(
      from: AsyncStream { continuation in
        continuation.yield(7)
        continuation.finish()
      })
    #expect(recorder.marbles { Character("\($0)") } == "(7|)")
    #expect(await recorder.values(atLeast: 5) == [7], "there will be no more")
  }

  @Test("waits until there are so many values, and no longer than its task")
  func waits() async {
    let recorder = EventRecorder<Int>()
    #expect(await recorder.values(atLeast: 0) == [])
    async let three = recorder.values(atLeast: 3)
    DispatchQueue.concurrentPerform(iterations: 3) { recorder.record($0) }
    #expect(await three.sorted() == [0, 1, 2])
    let task = Task { await recorder.values(atLeast: 9) }
    task.cancel()
    #expect(await task.value.count == 3)
    #expect(
      recorder.entries.count == 3 && recorder.entries[0].instant <= recorder.entries[2].instant)
  }
}
