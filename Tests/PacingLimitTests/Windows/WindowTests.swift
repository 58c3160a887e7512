import PacingTesting
import Testing

@testable import Pacing
@testable import TestSupport

@Suite("Limit: windows")
struct WindowTests {
  typealias State = InstantLimit

  static func at(_ nanoseconds: Int) -> PacingInstant {
    PacingInstant(nanoseconds: Nanoseconds(nanoseconds))
  }

  static func answers(_ limit: Limit, at instants: [Int]) -> [Bool] {
    var state = State([limit], at: at(0))
    return instants.map { state.tryAcquire(1, at: at($0)) }
  }

  static let window = Duration.nanoseconds(10)

  @Test("a fixed window begins with its first event, and is half-open")
  func fromFirstEvent() {
    let limit = Limit.fixedWindow(2, per: Self.window)
    #expect(
      Self.answers(limit, at: [7, 8, 9, 16, 17, 17, 17, 26, 27, 99, 108, 108, 109])
        == [true, true, false, false, true, true, false, false, true, true, true, false, true])
  }

  @Test("a fixed window lies on the grid from the creation, where it is asked to")
  func fromCreation() {
    let limit = Limit.fixedWindow(2, per: Self.window, fromCreation: true)
    #expect(
      Self.answers(limit, at: [7, 8, 9, 10, 10, 19, 20, 99, 99, 99, 100])
        == [true, true, false, true, true, false, true, true, true, false, true])
  }

  @Test("a fixed window takes another count, length and grid, and keeps what was spent")
  func replaced() {
    var window = FixedWindow(2, per: .nanoseconds(10), fromCreation: true, at: Self.at(3))
    window.spend(1, at: Self.at(5))
    window.reconfigure(5, per: .nanoseconds(30), fromCreation: true, at: Self.at(6))
    #expect(window.available(at: Self.at(6)) == 4 && window.available(at: Self.at(13)) == 5)
    window.spend(1, at: Self.at(15))
    #expect(window.resetsAt(spending: 0, at: Self.at(15)) == Self.at(33))
    window.reconfigure(5, per: .nanoseconds(30), fromCreation: false, at: Self.at(16))
    window.reset(at: Self.at(16))
    #expect(window.available(at: Self.at(16)) == 5)
    window.spend(1, at: Self.at(17))
    #expect(window.resetsAt(spending: 0, at: Self.at(17)) == Self.at(47))
  }

  @Test("behind a waiter, events that have left a window count nothing, though still stored")
  func leftAndStored() {
    let clock = ManualClock()
    let limiter = RateLimiter(.slidingWindow(1000, per: .seconds(60)), clock: clock)
    for _ in 0..<10 {
      #expect(limiter.tryAcquire(10))
      clock.advance(by: .seconds(1))
    }
    clock.advance(by: .seconds(20))
    #expect(limiter.tryAcquire(900))
    clock.advance(by: .seconds(1))
    let waiter = limiter.acquire(500) { _ in }
    #expect(waiter.expectedWait == .seconds(59))
    // The first ten have left the window by now.
    clock.advance(by: .seconds(44))
    let decision = limiter.request(50)
    #expect(!decision.isAllowed && decision.retryAfter == .seconds(15))
    #expect(limiter.peek(50).retryAfter == .seconds(15) && !limiter.requestEach(50)[0].isAllowed)
    #expect(limiter.acquire(50, within: .seconds(1)) { _ in }.expectedWait == .zero)
    #expect(limiter.statistics == LimitStatistics(granted: 11, refused: 3, tokens: 1000))
  }

  @Test("a sliding window never holds more than its number, wherever it lies")
  func sliding() {
    let limit = Limit.slidingWindow(2, per: Self.window)
    #expect(
      Self.answers(limit, at: [7, 8, 9, 16, 17, 17, 18, 18, 26, 27, 28])
        == [true, true, false, false, true, false, true, false, false, true, true])
  }

  @Test(
    "PyrateLimiter#289: an event exactly one window old no longer counts, a younger one does",
    arguments: [
      Limit.slidingWindow(1, per: .seconds(10)), .fixedWindow(1, per: .seconds(10)),
      .fixedWindow(1, per: .seconds(10), fromCreation: true),
    ])
  func boundary(limit: Limit) {
    let end = 10_000_000_000
    #expect(
      Self.answers(limit, at: [0, end - 1, end, end, 2 * end - 1, 2 * end])
        == [true, false, true, false, false, true])
  }

  @Test("limits#200: the wait ends with the oldest events, the reset with the newest")
  func retryAfterOldest() {
    var state = State([.slidingWindow(3, per: Self.window)], at: Self.at(0))
    for instant in [0, 4, 6] { _ = state.tryAcquire(1, at: Self.at(instant)) }
    let looks = (1...3).map { state.peek($0, at: Self.at(7)) }
    #expect(looks.map(\.retryAfter) == [3, 7, 9].map { .nanoseconds($0) })
    #expect(looks.map(\.resetAfter) == [9, 9, 9].map { .nanoseconds($0) })
    #expect(state.request(1, at: Self.at(10)).resetAfter == .nanoseconds(10))
  }

  @Test(
    "symfony#60551: a look is a look",
    arguments: [Limit.slidingWindow(2, per: Self.window), .fixedWindow(2, per: Self.window)])
  func peek(limit: Limit) {
    var state = State([limit], at: Self.at(0))
    let looks = (0..<9).map { _ in state.peek(2, at: Self.at(3)).isAllowed }
    #expect(!looks.contains(false))
    let look = state.peek(1, at: Self.at(3))
    #expect(look.remaining == 1 && look.resetAfter == .nanoseconds(10))
    let answers = [5, 6, 7].map { state.tryAcquire(1, at: Self.at($0)) }
    #expect(answers == [true, true, false])
  }

  static let kinds: [NaiveWindow.Kind] = [.sliding, .fixedFromFirstEvent, .fixedFromCreation]

  /// A random window: as a limit, and by its definition.
  struct Chosen {
    var random: SplitMix64
    let limit: Limit
    var naive: NaiveWindow
    var count: Int { naive.count }
    var length: Int { naive.length }

    init(_ kind: NaiveWindow.Kind, seed: UInt64) {
      random = SplitMix64(seed: seed)
      let count = Int.random(in: 1...9, using: &random)
      let length = Int.random(in: 1...40, using: &random)
      naive = NaiveWindow(kind, count, per: length)
      let window = Duration.nanoseconds(length)
      limit =
        switch kind {
        case .sliding: .slidingWindow(count, per: window)
        case .fixedFromFirstEvent: .fixedWindow(count, per: window)
        case .fixedFromCreation: .fixedWindow(count, per: window, fromCreation: true)
        }
    }
  }

  @Test(
    "the bound behind others is when a cost fits after those, each granted as early as it can be",
    arguments: kinds, Soak.seeds(60))
  func behindOthers(kind: NaiveWindow.Kind, seed: UInt64) {
    var chosen = Chosen(kind, seed: seed)
    let (count, length) = (chosen.count, chosen.length)
    var part = LimitPart(chosen.limit, at: Self.at(0))
    var now = 0
    for _ in 0..<30 {
      now += [0, 1, 2, 5, length - 1, length].randomElement(using: &chosen.random)!
      let spent = Int.random(in: 1...count, using: &chosen.random)
      if chosen.naive.tryAcquire(spent, at: now) {
        part.spend(spent, at: Self.at(now), isOnTime: false)
      }
      let ahead = Int.random(in: 0...3 * count, using: &chosen.random)
      // Of a fixed window it is a lower bound: a larger cost can leave a rest of a window.
      let cost = kind == .sliding ? Int.random(in: 1...count, using: &chosen.random) : 1
      var (played, time, left) = (chosen.naive, now, ahead)
      while true {
        while left > 0, played.tryAcquire(1, at: time) { left -= 1 }
        if left == 0, played.allows(cost, at: time) { break }
        time += 1
      }
      let bound = part.earliest(for: cost, behind: Int128(ahead), from: Self.at(now))
      #expect(max(bound, Self.at(now)) == Self.at(time), "seed \(seed), \(ahead) ahead of \(cost)")
    }
  }

  @Test(
    "agree with their definitions, event by event",
    arguments: kinds, Soak.seeds(60))
  func oracle(kind: NaiveWindow.Kind, seed: UInt64) {
    var chosen = Chosen(kind, seed: seed)
    let (count, length) = (chosen.count, chosen.length)
    var state = State([chosen.limit], at: Self.at(0))
    var now = 0
    for _ in 0..<150 {
      now += [0, 0, 1, 2, 5, length - 1, length].randomElement(using: &chosen.random)!
      let cost = Int.random(in: 0...count, using: &chosen.random)
      let look = state.peek(cost, at: Self.at(now))
      let wait = (0...).first { chosen.naive.allows(cost, at: now + $0) }!
      #expect(look.retryAfter == .nanoseconds(cost == 0 ? 0 : wait), "seed \(seed)")
      let isAllowed = state.tryAcquire(cost, at: Self.at(now))
      #expect(isAllowed == chosen.naive.tryAcquire(cost, at: now), "seed \(seed)")
      #expect(
        state.available(at: Self.at(now)) == count - chosen.naive.used(at: now), "seed \(seed)")
      if isAllowed { #expect(look.remaining == count - chosen.naive.used(at: now), "seed \(seed)") }
    }
  }

  @Test(
    "neither overflow nor trap at the ends of their range",
    arguments: [
      Limit.slidingWindow(.max, per: .seconds(Int64.max)), .fixedWindow(.max, per: .nanoseconds(1)),
      .fixedWindow(.max, per: .seconds(Int64.max)), .slidingWindow(.max, per: .nanoseconds(1)),
      .fixedWindow(.max, per: .nanoseconds(Int64.max), fromCreation: true),
      .fixedWindow(1, per: .nanoseconds(1), fromCreation: true),
    ], [Nanoseconds.min, 0, .never])
  func range(limit: Limit, start: Nanoseconds) {
    var state = State([limit], at: PacingInstant(nanoseconds: start))
    for now in [start, 0, 1, .never, .never] {
      let now = PacingInstant(nanoseconds: now)
      _ = state.request(limit.capacity, at: now)
      state.penalize(limit.capacity, at: now)
      let look = state.peek(1, at: now)
      #expect(look.retryAfter ?? .zero >= .zero)
      #expect(state.available(at: now) <= limit.capacity)
    }
  }

  @Test("remember no more than what still counts")
  func memory() {
    var window = SlidingWindow(4, per: .nanoseconds(10))
    for instant in 0..<10_000 {
      let now = Self.at(instant * 3)
      if window.earliest(for: 1, behind: 0, from: now) <= now { window.spend(1, at: now) }
    }
    #expect(window.entryCount <= 32)
  }

  @Test("a sliding window gives back what a peak took, and counts on")
  func peak() {
    var state = SlidingWindow(50_000, per: .nanoseconds(100_000))
    var live = FIFO<Int>()
    var wrong = 0
    for now in Array(0..<50_000) + Array(stride(from: 100_000, to: 400_000, by: 100)) {
      while let first = live.first, first + 100_000 <= now { _ = live.popFirst() }
      state.spend(1, at: Self.at(now))
      live.append(now)
      if state.available(at: Self.at(now)) != 50_000 - live.count { wrong += 1 }
      if state.entryCount > 2 * live.count + 16 { wrong += 1 }
    }
    #expect(wrong == 0 && live.count == 1_000)
  }
}
