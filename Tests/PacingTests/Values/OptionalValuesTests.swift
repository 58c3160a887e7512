import Pacing
import PacingTesting
import Testing

@Suite("A value that is nil is a value")
struct OptionalValuesTests {
  let clock = ManualClock()

  @Test("pending, and withdrawn, by a debouncer and by a throttler")
  func withdrawn() {
    let debouncer = Debouncer<Int?>(for: .milliseconds(10), clock: clock) { _ in }
    #expect(debouncer.pending == .none)
    debouncer.send(nil)
    #expect(debouncer.pending == .some(nil))
    #expect(debouncer.cancel() == .some(nil))
    #expect(debouncer.cancel() == .none)

    let throttler = Throttler<Int?>(
      every: .milliseconds(10), edges: .trailing, clock: clock
    ) { _ in }
    throttler.send(nil)
    #expect(throttler.reset() == .some(nil))
    #expect(throttler.reset() == .none)
  }

  @Test("pending, and withdrawn, for a key")
  func withdrawnForKey() {
    let debouncer = KeyedDebouncer<String, Int?>(for: .milliseconds(10), clock: clock) { _, _ in }
    debouncer.send(nil, for: "a")
    #expect(debouncer.pending(for: "a") == .some(nil))
    #expect(debouncer.pending(for: "b") == .none)
    #expect(debouncer.cancel(for: "a") == .some(nil))
    #expect(debouncer.cancel(for: "a") == .none)
    debouncer.send(nil, for: "b")
    #expect(debouncer.cancel() == ["b": nil])

    let throttler = KeyedThrottler<String, Int?>(
      every: .milliseconds(10), edges: .trailing, clock: clock
    ) { _, _ in }
    throttler.send(nil, for: "a")
    #expect(throttler.reset(for: "a") == .some(nil))
  }

  @Test("delivered, in a batch, and as an element of a stream")
  func delivered() async {
    let batcher = Batcher<Int?>(BatchLimit(maximumCount: 3), clock: clock)
    let batches = batcher.ticks()
    for number in [1, nil, 3] { batcher.send(number) }
    let batch = await batches.first { _ in true }
    #expect(batch == [1, nil, 3])

    let debouncer = Debouncer<Int?>(for: .milliseconds(10), clock: clock)
    let values = debouncer.ticks()
    debouncer.send(nil)
    clock.advance(by: .milliseconds(10))
    let value = await values.first { _ in true }
    #expect(value == .some(nil))
  }
}
