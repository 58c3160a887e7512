import Pacing
import Testing

@Suite("Rate")
struct RateTests {
  @Test(
    "is a reduced ratio",
    arguments: [
      (Rate.perSecond(100), Int64(1), Int64(10_000_000)),
      (.perSecond(3), 3, 1_000_000_000),
      (.perSecond(1_000_000_000), 1, 1),
      (.perSecond(300_000_000), 3, 10),
      (.perMinute(7), 7, 60_000_000_000),
      (.perHour(36), 1, 100_000_000_000),
      (.every(.milliseconds(250)), 1, 250_000_000),
      (Rate(1, per: .seconds(30 * 86_400)), 1, 2_592_000_000_000_000),
      (Rate(3, per: .nanoseconds(1)), 3, 1),
      (Rate(3, per: Duration(secondsComponent: 0, attosecondsComponent: 1_500_000_000)), 2, 1),
      (Rate(.max, per: .seconds(1)), Int64.max, 1_000_000_000),
    ] as [(Rate, Int64, Int64)])
  func reduces(rate: Rate, tokens: Int64, nanoseconds: Int64) {
    #expect(rate.tokens == tokens)
    #expect(rate.nanoseconds == nanoseconds)
  }

  @Test("rates that mean the same are equal")
  func equality() {
    #expect(Rate.perSecond(100) == .every(.milliseconds(10)))
    #expect(Rate.perSecond(1) != .perMinute(1))
    #expect(Rate.perSecond(100).description == "100 per second")
  }

  @Test(
    "refuses what is no rate",
    arguments: [
      (0, Duration.seconds(1), "count"), (-1, .seconds(1), "count"), (1, .zero, "period"),
      (1, .seconds(-1), "period"), (1, .seconds(Int64.max), "period"),
      (Int.max, Duration(secondsComponent: 0, attosecondsComponent: 1), "period"),
    ])
  func refuses(count: Int, period: Duration, parameter: String) {
    let error = #expect(throws: ConfigurationError.self) {
      try Rate(checking: count, per: period)
    }
    #expect(error?.parameter == parameter)
  }
}
