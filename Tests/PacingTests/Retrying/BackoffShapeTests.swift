import Pacing
import TestSupport
import Testing

@Suite("Backoff: shapes")
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
      (
        .constant(.milliseconds(9)).jittered(.decorrelated).capped(at: .milliseconds(9)), [9, 9, 9]
      ),
      (list([5, 3, 8]), [5, 3, 8]),
      (list([]), []),
      (list([-5]), [0]),
      (.custom { .milliseconds($0 * $0) }, [1, 4, 9, 16]),
      (.custom { $0 < 3 ? .milliseconds(-$0) : nil }, [0, 0]),
    ] as [(Backoff, [Nanoseconds])])
  func shapes(backoff: Backoff, expected: [Nanoseconds]) {
    #expect(Self.milliseconds(backoff, expected.count) == expected)
  }

  @Test("says where it ends, and begins again after a reset")
  func ends() {
    var delays = BackoffDelays(Self.list([1, 2]))
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
      (.constant(.nanoseconds(1)).jittered(.decorrelated), .never),
      (.custom { .seconds(Int64.max / 100_000 * Int64($0)) }, .never),
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
}
