import Pacing
import PacingTesting
import TestSupport
import Testing

@Suite("ticks()")
struct MailboxStreamTests {
  let clock = ManualClock()
  let debouncer: Debouncer<String>

  init() {
    debouncer = Debouncer(for: .milliseconds(10), clock: clock)
  }

  private func deliver(_ value: String) {
    debouncer.send(value)
    clock.advance(by: .milliseconds(10))
  }

  @Test("each call is a subscription of its own, from that call on")
  func subscriptions() async {
    var first = debouncer.ticks().makeAsyncIterator()
    deliver("a")
    var second = debouncer.ticks().makeAsyncIterator()
    deliver("b")
    #expect(await first.next() == "b", "a was replaced")
    deliver("c")
    #expect(await first.next() == "c")
    #expect(await second.next() == "c")
    debouncer.finish()
    #expect(await [first.next(), second.next(), first.next()] == [nil, nil, nil])
  }

  @Test("the end replaces no value", arguments: [true, false])
  func end(isDropped: Bool) async {
    var tool: Debouncer<String>? = Debouncer(for: .milliseconds(10), clock: clock)
    var ticks = tool!.ticks().makeAsyncIterator()
    tool?.send("a")
    clock.advance(by: .milliseconds(10))
    if !isDropped { tool?.finish() }
    tool = nil
    #expect(await ticks.next() == "a")
    #expect(await ticks.next() == nil)
    #expect(await ticks.next() == nil)
  }

  @Test("finish delivers the pending value into the stream, and the end after it")
  func finish() async {
    var ticks = debouncer.ticks().makeAsyncIterator()
    debouncer.send("a")
    debouncer.finish()
    debouncer.send("b")
    #expect(await ticks.next() == "a")
    #expect(await ticks.next() == nil)
    #expect(clock.pendingCount == 0)
  }

  @Test("cancel takes a value out of a mailbox, and does not return one that the handler has had")
  func cancelAfterTheHandler() async {
    let clock = ManualClock()
    let debouncer = Debouncer<String>(for: .zero, clock: clock) { _ in }
    var ticks = debouncer.ticks().makeAsyncIterator()
    debouncer.send("a")
    clock.advance(by: .zero)
    #expect(debouncer.cancel() == nil)
    debouncer.send("b")
    #expect(await ticks.next(isolation: #isolation) == "b")
  }

  @Test("cancel takes back what no consumer has taken, from every mailbox")
  func cancel() async {
    var iterators = (0..<3).map { _ in debouncer.ticks().makeAsyncIterator() }
    deliver("a")
    #expect(await iterators[0].next() == "a")
    #expect(debouncer.cancel() == "a")
    #expect(debouncer.cancel() == nil)
    deliver("b")
    for index in 0..<3 { #expect(await iterators[index].next() == "b") }
  }

  @Test("two iterators of one stream share its values, and both end", arguments: Soak.seeds(20))
  func twoIterators(seed: UInt64) async {
    let ticks = debouncer.ticks()
    let taken = EventRecorder<String>()
    await withTaskGroup(of: Void.self) { group in
      for _ in 0..<2 {
        group.addTask {
          for await value in ticks { taken.record(value) }
        }
      }
      group.addTask { [self] in
        deliver("a")
        debouncer.send("b")
        debouncer.finish()
      }
    }
    #expect(taken.values == ["a", "b"] || taken.values == ["b"] || taken.values == ["b", "a"])
  }

  @Test("a stream that is gone is no consumer any more: what is decided after it is dropped")
  func gone() async {
    let drops = EventRecorder<String>()
    debouncer.onDrop { value, reason in drops.record("\(value) \(reason)") }
    do {
      var ticks = debouncer.ticks().makeAsyncIterator()
      deliver("a")
      #expect(await ticks.next() == "a")
    }
    deliver("b")
    clock.runReady()
    #expect(drops.values == ["b noConsumer"])
  }

  @Test("a stream keeps its tool alive no more than a handler does")
  func leaks() async {
    weak var debouncer: Debouncer<Int>?
    weak var throttler: Throttler<Int>?
    weak var timer: DispatchTimer?
    weak var retry: RetryTimer?
    weak var bucket: TokenBucket?
    var ends = [() async -> Bool]()
    do {
      let tools = (
        Debouncer<Int>(for: .seconds(1), clock: clock) { _ in },
        Throttler<Int>(every: .seconds(1), clock: clock) { _ in },
        DispatchTimer.scheduled(every: .seconds(1), clock: clock) { _ in },
        RetryTimer(backoff: .constant(.seconds(1)), clock: clock) { _ in },
        TokenBucket(rate: .perSecond(1), burst: 1, initial: 0, clock: clock)
      )
      (debouncer, throttler, timer, retry, bucket) = tools
      tools.0.send(1)
      tools.1.send(1)
      tools.1.send(2)
      tools.3.scheduleNext()
      let streams = (
        tools.0.ticks(), tools.1.ticks(), tools.2.ticks(), tools.3.ticks(), tools.4.ticks()
      )
      ends.append { await Self.isEmpty(streams.0) }
      ends.append { await Self.isEmpty(streams.1) }
      ends.append { await Self.isEmpty(streams.2) }
      ends.append { await Self.isEmpty(streams.3) }
      ends.append { await Self.isEmpty(streams.4) }
    }
    #expect(debouncer == nil && throttler == nil && timer == nil && retry == nil && bucket == nil)
    for end in ends { #expect(await end()) }
    clock.advance(by: .zero)
    #expect(clock.pendingCount == 0)
  }

  private static func isEmpty<Element: Sendable>(_ stream: AsyncStream<Element>) async -> Bool {
    for await _ in stream { return false }
    return true
  }

  @Test("a mailbox by key goes on merging by key after a peak")
  func peak() {
    var state = MailboxState<(key: Int, text: String), Int>(
      MailboxRule(merge: { ($1.key, $0.text + $1.text) }, key: { AnyHashable($0.key) }))
    for key in 0..<50_000 { _ = state.offer((key, "a")) }
    var taken = 0
    for left in [10_000, 1_000, 100, 10] {
      while state.line.count > left, case .element((taken, "a")) = state.take() { taken += 1 }
      #expect(state.line.count == left)
    }
    for key in taken..<50_000 {
      guard case .kept(replaced: (key, "a")?) = state.offer((key, "b")) else {
        Issue.record("key \(key) was not found")
        continue
      }
    }
    while case .element((taken, "ab")) = state.take() { taken += 1 }
    #expect(taken == 50_000)
  }

  @Test("elements that repeat each other are one, and each of them is handed out")
  func repeats() {
    var rule = MailboxRule<[Int]>.all
    rule.isRepeat = { $0.isEmpty && $1.isEmpty }
    var state = MailboxState<[Int], Int>(rule)
    for batch in [[1], [], [], [2]] { _ = state.offer(batch) }
    for _ in 0..<100_000 { _ = state.offer([]) }
    #expect(state.singleCount == 2 && state.line.count == 4)
    let first = (0..<5).compactMap { _ in
      if case .element(let batch) = state.take() { batch } else { nil }
    }
    #expect(first == [[1], [], [], [2], []])
    #expect(state.singleCount == 0 && state.withdraw(where: { $0.isEmpty }).count == 99_999)
    #expect(state.singleCount == 0 && state.line.count == 0)
  }
}
