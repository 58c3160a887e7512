import Pacing
import TestSupport
import Testing

@Suite("Backoff")
struct BackoffTests {
  static func delays(_ backoff: Backoff, _ count: Int) -> [Duration] {
    Array(backoff.delays().prefix(count))
  }

  @Test(
    "computes its delays",
    arguments: [
      (.none, [0, 0, 0]),
      (.constant(.milliseconds(250)), [250, 250, 250]),
      (.exponential(from: .milliseconds(100)), [100, 200, 400, 800, 1600]),
      (
        .exponential(from: .milliseconds(100)).capped(at: .milliseconds(300)), [100, 200, 300, 300]
      ),
      (.exponential(from: .milliseconds(100)).capped(at: .milliseconds(60)), [60, 60]),
      (.exponential(from: .milliseconds(100)).capped(at: .zero), [0, 0]),
      (.exponential(from: .milliseconds(8), factor: 1.5), [8, 12, 18, 27]),
      (.exponential(from: .zero), [0, 0, 0]),
    ] as [(Backoff, [Int])])
  func delays(backoff: Backoff, milliseconds: [Int]) {
    #expect(Self.delays(backoff, milliseconds.count) == milliseconds.map { .milliseconds($0) })
  }

  @Test(
    "saturates, and stays there for a hundred thousand attempts",
    arguments: [
      (.exponential(from: .milliseconds(1)), .never),
      (
        .exponential(from: .milliseconds(1), factor: 1e300).capped(at: .seconds(20)), 20_000_000_000
      ),
      (.exponential(from: .nanoseconds(Int64.max / 2), factor: 2.1), .never),
      (.exponential(from: .milliseconds(1)).capped(at: .seconds(Int64.max)), .never),
      (.exponential(from: .seconds(Int64.max)).jittered(.decorrelated), .never),
      (.exponential(from: .milliseconds(1)).jittered(.proportional(1)), .never),
    ] as [(Backoff, Nanoseconds)])
  func saturates(backoff: Backoff, limit: Nanoseconds) {
    var delays = BackoffDelays(backoff)
    var previous: Nanoseconds = 0
    for _ in 1...100_000 {
      let delay = delays.next(draw: 1)!
      if delay < previous || delay > limit { Issue.record("\(delay) after \(previous)") }
      previous = delay
    }
    #expect(previous == limit)
  }

  @Test(
    "scatters as its jitter says, at the lowest, the middle and the highest draw",
    arguments: [
      (.none, [[100, 100, 100], [200, 200, 200], [300, 300, 300]]),
      (.full, [[0, 50, 100], [0, 100, 200], [0, 150, 300]]),
      (.equal, [[50, 75, 100], [100, 150, 200], [150, 225, 300]]),
      (.proportional(0.5), [[50, 100, 150], [100, 200, 300], [150, 300, 300]]),
      (.proportional(0), [[100, 100, 100], [200, 200, 200], [300, 300, 300]]),
      (.decorrelated, [[100, 200, 300], [100, 300, 300], [100, 300, 300]]),
    ] as [(Jitter, [[Nanoseconds]])])
  func jitter(jitter: Jitter, expected: [[Nanoseconds]]) {
    let backoff = Backoff.exponential(from: .nanoseconds(100)).capped(at: .nanoseconds(300))
      .jittered(jitter)
    for (index, draw) in [0, 0.5, 1].enumerated() {
      var delays = BackoffDelays(backoff)
      let drawn = (0..<3).map { _ in delays.next(draw: draw) }
      #expect(drawn == expected.map { $0[index] }, "draw \(draw)")
    }
  }

  @Test("the exponent goes on, whatever was drawn")
  func goesOn() {
    var delays = BackoffDelays(.exponential(from: .seconds(3)).jittered(.full))
    let drawn = [1, 1, 1, 0, 1].map { delays.next(draw: $0)! / 1_000_000_000 }
    #expect(drawn == [3, 6, 12, 0, 48])
    delays.reset()
    #expect(delays.next(draw: 1) == 3_000_000_000)
  }

  @Test("decorrelated delays follow from the one before")
  func decorrelated() {
    var delays = BackoffDelays(
      .exponential(from: .nanoseconds(100)).capped(at: .seconds(1)).jittered(.decorrelated))
    let drawn = [1, 0, 0.5, 0.5, 1].map { delays.next(draw: $0) }
    #expect(drawn == [300, 100, 200, 350, 1050])
  }

  @Test("every draw is within the bounds of its jitter and the cap", arguments: Soak.seeds(20))
  func bounds(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    let base = Nanoseconds.random(in: 1...100_000, using: &random)
    let cap = Nanoseconds.random(in: 1...10_000_000, using: &random)
    let ratio = Double.random(in: 0...1, using: &random)
    let plain = Backoff.exponential(from: .nanoseconds(base)).capped(at: .nanoseconds(cap))
    for jitter in [Jitter.full, .equal, .proportional(ratio), .decorrelated] {
      var delays = BackoffDelays(plain.jittered(jitter, seed: seed))
      var previous = base
      for retry in 0..<40 {
        let delay = delays.nextDelay()!
        let grown = Double(sign: .plus, exponent: retry, significand: Double(base))
        let exact = min(Double(cap), grown)
        let bounds: (least: Double, most: Double) =
          switch jitter {
          case .full: (0, exact)
          case .equal: (exact / 2, exact)
          case .decorrelated: (Double(min(base, cap)), 3 * Double(previous))
          default: (exact * (1 - ratio), exact * (1 + ratio))
          }
        #expect(Double(delay) >= bounds.least - 1)
        #expect(Double(delay) <= min(Double(cap), bounds.most + 1))
        previous = delay
      }
    }
  }

  @Test("the draws of full jitter are uniform: their mean is half the delay")
  func mean() {
    var delays = BackoffDelays(.constant(.nanoseconds(1_000_000)).jittered(.full, seed: 1))
    let sum = (0..<100_000).reduce(0) { sum, _ in sum + delays.nextDelay()! }
    #expect(abs(sum / 100_000 - 500_000) < 5_000, "five standard errors")
  }

  @Test("the same seed gives the same delays, and others otherwise")
  func seeds() {
    let backoff = Backoff.exponential(from: .seconds(1)).jittered(.full, seed: 7)
    #expect(Self.delays(backoff, 10) == Self.delays(backoff, 10))
    #expect(Self.delays(backoff, 10) != Self.delays(backoff.jittered(.full, seed: 8), 10))
    #expect(Self.delays(backoff, 10) != Self.delays(backoff.jittered(.full), 10))
  }

  @Test("refuses what is no backoff")
  func refuses() {
    for factor in [0.99, -1, .infinity, .nan] {
      let error = #expect(throws: ConfigurationError.self) {
        try Backoff.checked(exponential: .seconds(1), factor: factor)
      }
      #expect(error?.parameter == "factor")
    }
    let negative = Duration.seconds(-1)
    let makers: [(String, () throws -> Backoff)] = [
      ("base", { try .checked(exponential: negative, factor: 2) }),
      ("base", { try .checked(linear: negative, by: .zero) }),
      ("increment", { try .checked(linear: .zero, by: negative) }),
      ("cap", { try Backoff.none.checked(cap: negative) }),
    ]
    for (parameter, make) in makers {
      let error = ConfigurationError(parameter, negative, must: "not be negative")
      #expect(throws: error, performing: make)
    }
    for ratio in [-0.1, 1.1, .nan] {
      #expect(throws: ConfigurationError.self) { try Jitter.checked(ratio) }
    }
  }
}
