import Pacing
import TestSupport
import Testing

@Suite("Backoff: shapes and composition")
struct BackoffShapeTests {
  static func milliseconds(_ backoff: Backoff, _ count: Int) -> [Nanoseconds] {
    backoff.delays().prefix(count).map { Nanoseconds(wait: $0) / 1_000_000 }
  }

  static func list(_ milliseconds: [Int]) -> Backoff {
    .list(milliseconds.map { .milliseconds($0) })
  }

  @Test(
    "computes the delays of each shape",
    arguments: [
      (.linear(from: .milliseconds(100), by: .milliseconds(50)), [100, 150, 200, 250]),
      (.linear(from: .zero, by: .milliseconds(5)), [0, 5, 10]),
      (.linear(from: .milliseconds(7), by: .zero), [7, 7, 7]),
      (.fibonacci(from: .milliseconds(10)), [10, 10, 20, 30, 50, 80, 130]),
      (.decorrelated(from: .milliseconds(9)).capped(at: .milliseconds(9)), [9, 9, 9]),
      (list([5, 3, 8]), [5, 3, 8]),
      (list([]), []),
      (list([-5]), [0]),
      (list([1, 2]).then(.constant(.milliseconds(9))), [1, 2, 9, 9]),
      (list([1]).then(list([2])).then(list([3])), [1, 2, 3]),
      (.uniform(in: .milliseconds(4) ... .milliseconds(4)), [4, 4]),
      (.custom { .milliseconds($0 * $0) }, [1, 4, 9, 16]),
      (.custom { $0 < 3 ? .milliseconds(-$0) : nil }, [0, 0]),
      (.constant(.milliseconds(3)).limited(to: 2), [3, 3]),
      (.constant(.milliseconds(3)).limited(to: -1), []),
      (
        .none.limited(to: 1).then(.exponential(from: .milliseconds(1)).limited(to: 2))
          .then(.fibonacci(from: .milliseconds(7))), [0, 1, 2, 7, 7, 14]
      ),
      (.constant(.milliseconds(5)) + .exponential(from: .milliseconds(1)), [6, 7, 9, 13]),
      (list([1, 2]) + .constant(.milliseconds(10)), [11, 12]),
      (
        (.exponential(from: .milliseconds(4)).capped(at: .milliseconds(8))
          + .constant(.milliseconds(1))),
        [5, 9, 9]
      ),
      (
        (.exponential(from: .milliseconds(4)) + .constant(.milliseconds(1)))
          .capped(at: .milliseconds(8)), [5, 8, 8]
      ),
      (.exponential(from: .milliseconds(1)).floored(at: .milliseconds(3)), [3, 3, 4, 8]),
      (.constant(.milliseconds(9)).floored(at: .milliseconds(7)).capped(at: .milliseconds(5)), [5]),
    ] as [(Backoff, [Nanoseconds])])
  func shapes(backoff: Backoff, expected: [Nanoseconds]) {
    #expect(Self.milliseconds(backoff, expected.count) == expected)
  }

  @Test("says where it ends, and begins again after a reset")
  func ends() {
    var delays = Self.list([1, 2]).limited(to: 5).delays()
    for _ in 1...2 {
      #expect(delays.next() == .milliseconds(1))
      #expect(delays.next() == .milliseconds(2))
      #expect(delays.next() == nil)
      #expect(delays.next() == nil)
      delays.reset()
    }
  }

  @Test(
    "saturates at the hundred-thousandth delay, and is never negative before it",
    arguments: [
      (.linear(from: .seconds(1), by: .seconds(100_000_000)), .never),
      (.linear(from: .seconds(1), by: .nanoseconds(1)), 1_000_099_999),
      (.fibonacci(from: .nanoseconds(1)), .never),
      (.fibonacci(from: .seconds(1)).capped(at: .seconds(60)), 60_000_000_000),
      (.decorrelated(from: .nanoseconds(1)), .never),
      (.exponential(from: .seconds(1)) + .fibonacci(from: .seconds(1)), .never),
      (.exponential(from: .seconds(1)).jittered(.additive(upTo: .seconds(Int64.max))), .never),
      (.custom { .seconds(Int64.max / 100_000 * Int64($0)) }, .never),
      (.constant(.seconds(1)).limited(to: .max), 1_000_000_000),
      (.uniform(in: .seconds(-5) ... .seconds(Int64.max)), .never),
    ] as [(Backoff, Nanoseconds)])
  func saturates(backoff: Backoff, last: Nanoseconds) {
    var delays = BackoffDelays(backoff)
    var previous: Nanoseconds = 0
    for _ in 1...100_000 {
      guard let delay = delays.next(draw: 1), delay >= previous else {
        Issue.record("less than \(previous)")
        return
      }
      previous = delay
    }
    #expect(previous == last)
  }

  @Test("the parts of a sum draw apart, and a seed of the whole is one for all of them")
  func seeds() {
    let part = Backoff.constant(.seconds(1)).jittered(.full)
    let sum = part + part
    #expect(Self.milliseconds(sum.seeded(1), 9) == Self.milliseconds(sum.seeded(1), 9))
    #expect(Self.milliseconds(sum.seeded(1), 9) != Self.milliseconds(sum.seeded(2), 9))
    #expect(Self.milliseconds(sum, 9) != Self.milliseconds(sum, 9))
    let seeded = part.jittered(.full, seed: 3)
    let twice = Self.milliseconds(seeded, 9)
    #expect(
      Self.milliseconds(seeded + .none, 9) == twice, "a part keeps the seed that it has itself")
    #expect(
      zip(Self.milliseconds(sum.seeded(1), 9), Self.milliseconds(part.seeded(1), 9))
        .contains { $0 != 2 * $1 })
  }
}
