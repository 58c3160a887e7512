import Pacing
import Testing

@Suite("Buckets, by instants")
struct InstantLimitTests {
  typealias Bucket = InstantLimit

  static func bucket(_ rate: Rate, burst: Int, initial: Int? = nil) -> Bucket {
    Bucket(rate: rate, burst: burst, initial: initial, at: at(0))
  }

  static func at(_ nanoseconds: Nanoseconds) -> PacingInstant {
    PacingInstant(nanoseconds: nanoseconds)
  }

  static func milliseconds(_ count: Nanoseconds) -> PacingInstant { at(count * 1_000_000) }

  @Test("starts full, spends down to nothing, and refills at its rate")
  func refills() {
    var bucket = Self.bucket(.perSecond(10), burst: 3)
    for _ in 0..<3 {
      let isAllowed = bucket.tryAcquire(1, at: Self.at(0))
      #expect(isAllowed)
    }
    let answers = [0, 99, 100, 100, 199, 200, 1000, 1000, 1000, 1000].map {
      bucket.tryAcquire(1, at: Self.milliseconds($0))
    }
    #expect(answers == [false, false, true, false, false, true, true, true, true, false])
  }

  @Test("holds what it was given at the start", arguments: [0, 1, 3])
  func initial(tokens: Int) {
    var bucket = Self.bucket(.perSecond(10), burst: 3, initial: tokens)
    #expect(bucket.available(at: Self.at(0)) == tokens)
    #expect(bucket.available(at: Self.milliseconds(100)) == min(3, tokens + 1))
  }

  @Test("a denial says how long to wait, to the nanosecond")
  func retryAfter() {
    var bucket = Self.bucket(.perSecond(3), burst: 1)
    let first = bucket.request(1, at: Self.at(0))
    #expect(
      first
        == Decision(
          isAllowed: true, remaining: 0, retryAfter: .zero,
          resetAfter: .nanoseconds(333_333_334)))
    let denied = bucket.request(1, at: Self.at(0))
    #expect(
      denied
        == Decision(
          isAllowed: false, remaining: 0, retryAfter: .nanoseconds(333_333_334),
          resetAfter: .nanoseconds(333_333_334)))
    let early = bucket.tryAcquire(1, at: Self.at(333_333_333))
    let due = bucket.tryAcquire(1, at: Self.at(333_333_334))
    #expect(!early)
    #expect(due)
  }

  @Test("a look answers as a request would, and changes nothing")
  func peek() {
    var bucket = Self.bucket(.perSecond(10), burst: 5)
    let before = bucket
    let looks = (0...6).map { bucket.peek($0, at: Self.at(0)) }
    for (cost, look) in looks.enumerated() {
      var fresh = before
      #expect(fresh.request(cost, at: Self.at(0)) == look)
    }
    #expect(bucket.available(at: Self.at(0)) == 5)
    #expect(looks[3].remaining == 2)
    #expect(looks[3].resetAfter == .milliseconds(300))
  }

  @Test("a cost above the burst is never allowed, a cost of nothing always")
  func extremes() {
    var bucket = Self.bucket(.perSecond(10), burst: 2)
    let tooMuch = bucket.request(3, at: Self.at(0))
    #expect(!tooMuch.isAllowed)
    #expect(tooMuch.retryAfter == nil)
    #expect(tooMuch.remaining == 2)
    let everything = bucket.tryAcquire(2, at: Self.at(0))
    #expect(everything)
    let nothing = bucket.request(0, at: Self.at(0))
    #expect(nothing.isAllowed)
    #expect(nothing.retryAfter == .zero)
    #expect(nothing.resetAfter == .milliseconds(200))
    let largest = bucket.tryAcquire(.max, at: Self.at(0))
    #expect(!largest)
  }

  @Test("a clock that jumps back earns nothing twice")
  func jumpsBack() {
    var bucket = Self.bucket(.perSecond(10), burst: 5, initial: 0)
    #expect(bucket.available(at: Self.milliseconds(300)) == 3)
    #expect(bucket.available(at: Self.milliseconds(0)) == 3)
    let isAllowed = bucket.tryAcquire(3, at: Self.milliseconds(100))
    #expect(isAllowed)
    #expect(bucket.available(at: Self.milliseconds(300)) == 0)
    #expect(bucket.available(at: Self.milliseconds(400)) == 1)
  }

  @Test("counts without drift where a token takes no whole number of nanoseconds")
  func noDrift() {
    var bucket = Self.bucket(.perSecond(999), burst: 2)
    var granted = 0
    for step in 0...100_000 {
      if bucket.tryAcquire(1, at: Self.at(Nanoseconds(step) * 10_000)) { granted += 1 }
    }
    #expect(granted == 2 + 999)
  }

  @Test(
    "neither overflows nor traps at the ends of its range",
    arguments: [
      (Rate.perSecond(1_000_000_000), Int.max), (Rate(.max, per: .nanoseconds(1)), Int.max),
      (Rate(1, per: .nanoseconds(Int64.max)), Int.max), (Rate(1, per: .seconds(30 * 86_400)), 1),
      (Rate(.max, per: .nanoseconds(Int64.max - 1)), Int.max),
    ], [Nanoseconds.min, 0, .never])
  func range(_ setting: (rate: Rate, burst: Int), start: Nanoseconds) {
    for initial in [0, setting.burst] {
      var bucket = Bucket(
        rate: setting.rate, burst: setting.burst, initial: initial, at: Self.at(start))
      for now in [start, 0, .never] {
        let all = bucket.request(setting.burst, at: Self.at(now))
        #expect(all.isAllowed || all.retryAfter ?? .seconds(1) > .zero)
        _ = bucket.request(1, at: Self.at(now))
        bucket.penalize(setting.burst, at: Self.at(now))
        #expect(bucket.available(at: Self.at(now)) <= setting.burst)
      }
    }
  }

  #if os(Linux) || os(macOS)
    @Test("stops the program on a negative cost, a burst of nothing, a start above the burst")
    func programmerErrors() async {
      await #expect(processExitsWith: .failure) {
        var bucket = InstantLimitTests.bucket(.perSecond(1), burst: 1)
        _ = bucket.tryAcquire(-1, at: InstantLimitTests.at(0))
      }
      await #expect(processExitsWith: .failure) {
        var bucket = InstantLimitTests.bucket(.perSecond(1), burst: 1)
        _ = bucket.peek(-1, at: InstantLimitTests.at(0))
      }
      await #expect(processExitsWith: .failure) {
        _ = InstantLimitTests.bucket(.perSecond(1), burst: 0)
      }
      await #expect(processExitsWith: .failure) {
        _ = InstantLimitTests.bucket(.perSecond(1), burst: 1, initial: 2)
      }
    }
  #endif
}
