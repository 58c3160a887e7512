import Dispatch
import Pacing
import PacingTesting
import TestSupport
import Testing

@Suite("Which handler a closure is")
struct OverloadTests {
  let clock = ManualClock()
  let log = EventRecorder<String>()

  /// Plays a tool from a queue, outside any task: an async handler runs in a task all the same.
  private func play(_ send: @escaping @Sendable () -> Void) async -> [String] {
    await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
      DispatchQueue(label: "caller").async { [clock] in
        send()
        clock.advance(by: .milliseconds(1))
        continuation.resume()
      }
    }
    await clock.settle()
    return log.takeAll()
  }

  private var note: @Sendable () -> Void {
    { [log] in log.record(withUnsafeCurrentTask { $0 == nil } ? "thread" : "task") }
  }

  @Test("a closure that awaits nothing is a handler without a task, whatever the tool")
  func shared() async {
    let wait = Duration.milliseconds(1)
    let debouncer = Debouncer<Int>(for: wait, clock: clock) { [note] _ in note() }
    #expect(await play { debouncer.send(1) } == ["thread"])
    let throttler = Throttler<Int>(every: wait, clock: clock) { [note] _ in note() }
    #expect(await play { throttler.send(1) } == ["thread"])
    let auditor = Auditor<Int>(for: wait, clock: clock) { [note] _ in note() }
    #expect(await play { auditor.send(1) } == ["thread"])
    let sampler = Sampler<Int>(every: wait, clock: clock) { [note] _ in note() }
    #expect(await play { sampler.send(1) } == ["thread"])
    let batcher = Batcher<Int>(BatchLimit(maximumDelay: wait), clock: clock) { [note] _ in note() }
    #expect(await play { batcher.send(1) } == ["thread"])
    let keyed = KeyedDebouncer<Int, Int>(for: wait, clock: clock) { [note] _, _ in note() }
    #expect(await play { keyed.send(1, for: 1) } == ["thread"])
    let other = KeyedThrottler<Int, Int>(every: wait, clock: clock) { [note] _, _ in note() }
    #expect(await play { other.send(1, for: 1) } == ["thread"])
    let timer = DispatchTimer(.once(after: wait), clock: clock) { [note] _ in note() }
    #expect(await play { timer.start() } == ["thread"])
    let running = DispatchTimer.scheduled(.once(after: wait), clock: clock) { [note] _ in note() }
    #expect(await play {} == ["thread"])
    withExtendedLifetime(running) {}
    let retry = RetryTimer(backoff: .constant(wait), clock: clock) { [note] _ in note() }
    #expect(await play { retry.scheduleNext() } == ["thread"])
  }

  @Test("so it is on the main actor")
  func main() async {
    let wait = Duration.milliseconds(1)
    let debouncer = Debouncer<Int>(for: wait, clock: clock).handle(on: .main) { [note] _ in note() }
    #expect(await play { debouncer.send(1) } == ["thread"])
    let throttler = Throttler<Int>(every: wait, clock: clock).handle(on: .main) { [note] _ in note()
    }
    #expect(await play { throttler.send(1) } == ["thread"])
    let auditor = Auditor<Int>(for: wait, clock: clock).handle(on: .main) { [note] _ in note() }
    #expect(await play { auditor.send(1) } == ["thread"])
    let sampler = Sampler<Int>(every: wait, clock: clock).handle(on: .main) { [note] _ in note() }
    #expect(await play { sampler.send(1) } == ["thread"])
    let batcher = Batcher<Int>(BatchLimit(maximumDelay: wait), clock: clock).handle(on: .main) {
      [note] _ in note()
    }
    #expect(await play { batcher.send(1) } == ["thread"])
    let keyed = KeyedDebouncer<Int, Int>(for: wait, clock: clock).handle(on: .main) {
      [note] _, _ in note()
    }
    #expect(await play { keyed.send(1, for: 1) } == ["thread"])
    let other = KeyedThrottler<Int, Int>(every: wait, clock: clock).handle(on: .main) {
      [note] _, _ in note()
    }
    #expect(await play { other.send(1, for: 1) } == ["thread"])
    let timer = DispatchTimer(.once(after: wait), clock: clock).handle(on: .main) { [note] _ in
      note()
    }
    #expect(await play { timer.start() } == ["thread"])
    let running = DispatchTimer(.once(after: wait), clock: clock).handle(on: .main) {
      [note] _ in note()
    }.started()
    #expect(await play {} == ["thread"])
    withExtendedLifetime(running) {}
    let retry = RetryTimer(backoff: .constant(wait), clock: clock).handle(on: .main) {
      [note] _ in note()
    }
    #expect(await play { retry.scheduleNext() } == ["thread"])
  }

  @Test("one that awaits has a task")
  func tasks() async {
    let keyed = KeyedThrottler<Int, Int>(every: .zero, clock: clock).handle { [note] _, _ in
      await Task.yield()
      note()
    }
    #expect(await play { keyed.send(1, for: 1) } == ["task"])
    let main = Sampler<Int>(every: .milliseconds(1), clock: clock).handle(on: .main) { [note] _ in
      await Task.yield()
      note()
    }
    #expect(await play { main.send(1) } == ["task"])
  }
}
