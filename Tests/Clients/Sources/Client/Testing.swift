import Pacing
import PacingTesting

/// Timelines, recorders and tasks on virtual time, with handlers and streams.
func testOnVirtualTime() async throws {
  let clock = ManualClock(step: .milliseconds(10))
  let delivered = EventRecorder<Character>(clock: clock)
  let tool = Debouncer<Character>(
    for: .milliseconds(30), clock: clock, handler: delivered.record)
  clock.play("ab----c", ties: .callsFirst) { tool.send($0) }
  verify(delivered.marbles == "----b--", "a debounced timeline")
  await clock.playAndSettle("-d---") { mark in
    tool.send(mark)
  }
  verify(delivered.takeAll() == ["b", "d"], "what was played")

  let seen = EventRecorder<Int>(clock: clock)
  let task = clock.run {
    try await clock.sleep(for: .milliseconds(20))
    seen.record(7)
    return 7
  }
  clock.advance(by: .milliseconds(20))
  verify(seen.marbles { "\($0)".first! } == "--7", "a task on virtual time")
  let result = try await task.value
  verify(result == 7, "its result")

  let (values, input) = AsyncStream.makeStream(of: Character.self)
  clock.run { await delivered.record(from: values) }
  clock.play("x|", into: input)
  let all = await delivered.values(atLeast: 1)
  verify(all == ["x"], "a stream on virtual time")
  do throws(MarbleError) {
    _ = try Marbles(validating: "(")
  } catch {
    verify(error.position == 0, "where a timeline goes wrong")
  }
}
