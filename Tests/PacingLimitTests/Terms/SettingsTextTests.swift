import Foundation
import Pacing
import Testing

@Suite("Settings as text")
struct SettingsTextTests {
  @Test(
    "a rate is read and printed as people write it",
    arguments: [
      ("5/s", Rate.perSecond(5), "5 per second"), ("90/min", .perMinute(90), "90 per minute"),
      ("90 per minute", .perMinute(90), "90 per minute"),
      ("100 / ms", .perSecond(100_000), "100000 per second"),
      ("7 per 3 hours", Rate(7, per: .seconds(10_800)), "56 per day"),
      ("1/7s", Rate(1, per: .seconds(7)), "1 per 7 seconds"),
      ("unlimited", .unlimited, "unlimited"),
      ("1/11 ns", Rate(1, per: .nanoseconds(11)), "1 per 11 ns"), ("None", .none, "none"),
    ] as [(String, Rate, String)])
  func rates(text: String, rate: Rate, printed: String) throws {
    #expect(try Rate(text) == rate)
    #expect(rate.description == printed)
    #expect(try Rate(printed) == rate)
    let coded = try JSONDecoder().decode([Rate].self, from: JSONEncoder().encode([rate]))
    #expect(coded == [rate])
  }

  @Test(
    "what is no rate is refused",
    arguments: [
      "", "5", "/s", "5/", "5/week", "0/s", "-1/s", "5/0s", "1.5/s", "5/99999999999999 d",
    ])
  func noRates(text: String) {
    #expect(throws: ConfigurationError.self) { try Rate(text) }
  }

  @Test("limits and quotas are written and read back")
  func limits() throws {
    let limits = [
      Limit.tokenBucket(rate: .perMinute(90), burst: 10, initial: 3).named("burst"),
      .fixedWindow(10, per: .seconds(60), fromCreation: true),
      .slidingWindow(1000, per: .seconds(3600)),
    ]
    let data = try JSONEncoder().encode(limits)
    #expect(try JSONDecoder().decode([Limit].self, from: data) == limits)
    let more = #"{"kind":"token bucket","rate":"5/s","burst":2,"count":7,"comment":"peak"}"#
    #expect(
      try JSONDecoder().decode(Limit.self, from: Data(more.utf8))
        == .tokenBucket(rate: .perSecond(5), burst: 2), "other fields are ignored")
    let quota = Quota(rate: .perSecond(5), burst: 10)
    let coded = try JSONEncoder().encode(quota)
    #expect(try JSONDecoder().decode(Quota.self, from: coded) == quota)
    for bad in [
      #"{"kind":"token bucket","rate":"5/s","burst":0}"#, #"{"kind":"leaky"}"#,
      #"{"kind":"sliding window","count":1,"window":"soon"}"#,
      #"{"kind":"fixed window","count":1,"window":"1 s","start":"at noon"}"#,
    ] {
      #expect(throws: DecodingError.self) {
        try JSONDecoder().decode(Limit.self, from: Data(bad.utf8))
      }
    }
  }
}
