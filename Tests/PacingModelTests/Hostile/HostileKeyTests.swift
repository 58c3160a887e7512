import Dispatch
import Pacing
import PacingTesting
import TestSupport
import Testing

/// Keys that an attacker chooses, or that do what a key should not do.
@Suite("Hostile keys")
struct HostileKeyTests {
  /// A key whose hash is that of all others, and that counts comparisons.
  private struct Colliding: Hashable, Sendable {
    let number: Int
    let comparisons: Counter

    static func == (one: Self, other: Self) -> Bool {
      one.comparisons.add()
      return one.number == other.number
    }

    func hash(into hasher: inout Hasher) { hasher.combine(0) }
  }

  /// A key that runs a closure when it is compared.
  private struct Calling: Hashable, Sendable {
    let number: Int
    let onComparison: @Sendable () -> Void

    static func == (one: Self, other: Self) -> Bool {
      one.onComparison()
      other.onComparison()
      return one.number == other.number
    }

    func hash(into hasher: inout Hasher) { hasher.combine(0) }
  }

  private let clock = ManualClock()

  @Test("that collide cost a limiter one comparison with each, and grant every key its own")
  func collidingLimit() {
    let comparisons = Counter()
    let limiter = KeyedRateLimiter<Colliding>(
      rate: .every(.seconds(3600)), burst: 1, maximumKeys: 100_000, whenFull: .refuse, clock: clock)
    for number in 0..<2_400 {
      let before = comparisons.value
      // The second half of them have had their tokens.
      let key = Colliding(number: number % 1_200, comparisons: comparisons)
      #expect(limiter.tryAcquire(for: key) == (number < 1_200))
      // Now and then the table grows, which compares nothing.
      #expect(comparisons.value - before <= 1_200)
    }
    #expect(limiter.keyCount == 1_200)
  }

  @Test("that collide cost a tool no more comparisons than three look-ups among all keys")
  func collidingTool() {
    let comparisons = Counter()
    let delivered = EventRecorder<Int>()
    let most = 200
    #if DEBUG
      // There the standard library compares the keys of a dictionary that grows in pairs.
      let bound = most * most
    #else
      // Three times a key is looked up, among all of them.
      let bound = 3 * most
    #endif
    let tool = KeyedDebouncer<Colliding, Int>(
      for: .milliseconds(10), maximumKeys: most, clock: clock
    ) { key, value in delivered.record(key.number) }
    for number in 0..<500 {
      let before = comparisons.value
      tool.send(1, for: Colliding(number: number, comparisons: comparisons))
      #expect(comparisons.value - before <= bound)
    }
    #expect(tool.keyCount == most && tool.statistics.dropped == 300)
    clock.advance(by: .milliseconds(10))
    #expect(delivered.values == Array(0..<most))
    #expect(tool.keyCount == 0)
  }

  @Test(
    "in a flood take no more room than a tool may have keys, and each value is accounted for",
    arguments: [WhenFull.refuse, .makeRoom])
  func flood(whenFull: WhenFull) {
    let tool = KeyedDebouncer<Int, Int>(
      for: .milliseconds(10), maximumKeys: 100, whenFull: whenFull, clock: clock
    ) { _, _ in }
    for number in 0..<20_000 {
      tool.send(number, for: number)
      if number.isMultiple(of: 1000) {
        #expect(tool.keyCount <= 200)
        clock.advance(by: .milliseconds(1))
      }
    }
    let counts = tool.statistics
    #expect(counts.received == 20_000)
    #expect(
      counts.received == counts.delivered + counts.merged + counts.dropped + counts.pending)
    clock.advance(by: .milliseconds(20))
    #expect(tool.keyCount == 0)
  }

  /// A key that holds something.
  private struct Holding: Hashable, Sendable {
    let number: Int
    let burden: Burden

    static func == (one: Self, other: Self) -> Bool { one.number == other.number }
    func hash(into hasher: inout Hasher) { hasher.combine(number) }
  }

  @Test("are let go when they are cancelled, though their tool is suspended and they were overdue")
  func suspended() {
    let released = Counter()
    let tool = KeyedThrottler<Holding, Int>(every: .milliseconds(1), clock: clock) { _, _ in }
    tool.suspend()
    for number in 0..<100 {
      let key = Holding(number: number, burden: Burden("key") { released.add() })
      tool.send(1, for: key)
      clock.advance(by: .milliseconds(1))
      tool.cancel(for: key)
    }
    #expect(tool.keyCount == 0 && released.value == 100)
  }

  @Test("may call other tools while they are compared")
  func callsAnother() {
    let delivered = EventRecorder<Int>()
    let other = Debouncer<Int>(for: .milliseconds(1), clock: clock) { delivered.record($0) }
    let limiter = KeyedRateLimiter<Calling>(
      rate: .every(.seconds(1)), burst: 1, maximumKeys: 10, clock: clock)
    let tool = KeyedThrottler<Calling, Int>(every: .milliseconds(1), clock: clock) { _, _ in }
    for number in 0..<4 {
      let key = Calling(number: number) { other.send(number) }
      _ = limiter.tryAcquire(for: key)
      tool.send(number, for: key)
    }
    clock.advance(by: .milliseconds(5))
    // A key is also compared when its window has ended.
    #expect(delivered.values.first == 3)
  }

  @Test("that block in a comparison hold up their own tool, and calls of no other")
  func blocks() {
    let (blocked, free) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    let ended = DispatchSemaphore(value: 0)
    let limiter = KeyedRateLimiter<Calling>(
      rate: .every(.seconds(1)), burst: 1, maximumKeys: 10, clock: clock)
    _ = limiter.tryAcquire(for: Calling(number: 1) {})
    // A queue of its own always has a thread, however many of the global one are blocked.
    DispatchQueue(label: "blocked").async {
      _ = limiter.tryAcquire(
        for: Calling(number: 2) {
          blocked.signal()
          free.wait()
        })
      ended.signal()
    }
    blocked.wait()
    let delivered = EventRecorder<Int>()
    let other = Debouncer<Int>(for: .milliseconds(1), clock: clock) { delivered.record($0) }
    other.send(1)
    clock.advance(by: .milliseconds(1))
    #expect(delivered.values == [1])
    for _ in 0..<20 { free.signal() }
    ended.wait()
  }
}
