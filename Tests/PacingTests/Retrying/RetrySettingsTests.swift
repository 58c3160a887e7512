import Foundation
import Pacing
import Testing

@Suite("Retry settings as configuration")
struct RetrySettingsTests {
  private func decoded<Value: Codable>(_ value: Value) throws -> Value {
    try JSONDecoder().decode(Value.self, from: JSONEncoder().encode(value))
  }

  @Test(
    "a backoff is what it was when it is decoded again, and equal to itself alone",
    arguments: [
      .exponential(from: .milliseconds(100)).capped(at: .seconds(20)).jittered(.full),
      .exponential(from: .milliseconds(100), factor: 1.5).floored(at: .milliseconds(200)),
      .linear(from: .seconds(1), by: .seconds(2)), .fibonacci(from: .seconds(1)),
      .list([.seconds(1), .seconds(5)]).then(.constant(.seconds(30))),
      .uniform(in: .seconds(1) ... .seconds(3)) + .none.limited(to: 3),
      .decorrelated(from: .seconds(1)).seeded(7),
      .constant(.seconds(1)).jittered(.proportional(0.25)),
      .constant(.seconds(1)).jittered(.additive(upTo: .seconds(1)), seed: 3),
    ] as [Backoff])
  func backoffs(backoff: Backoff) throws {
    let copy = try decoded(backoff)
    #expect(copy == backoff && "\(copy)" == "\(backoff)")
    #expect(copy != backoff.capped(at: .seconds(7)))
    #expect(Array(copy.seeded(1).delays().prefix(9)) == Array(backoff.seeded(1).delays().prefix(9)))
  }

  @Test("a closure cannot be encoded, and what no backoff can be is refused")
  func refusals() throws {
    let custom = Backoff.custom { _ in .zero }
    #expect(custom == custom && custom != .custom { _ in .zero })
    #expect(throws: EncodingError.self) { try JSONEncoder().encode(custom) }
    let inner = #"{"kind": "exponential", "base": -1}"#
    let outer = #"{"kind": "sum", "first": {"kind": "fibonacci", "base": 1}, "second": \#(inner)}"#
    let error = #expect(throws: DecodingError.self) {
      try JSONDecoder().decode([Backoff].self, from: Data("[\(outer)]".utf8))
    }
    guard case .dataCorrupted(let context) = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(context.codingPath.map(\.stringValue) == ["Index 0", "second"])
    #expect(context.debugDescription.hasPrefix("base must"), "\(context.debugDescription)")
    for bad in [#"{"kind": "proportional", "ratio": 2}"#, #"{"kind": "some"}"#] {
      #expect(throws: DecodingError.self) {
        try JSONDecoder().decode(Jitter.self, from: Data(bad.utf8))
      }
    }
  }

  @Test("a policy is made again from its settings")
  func policy() throws {
    let policy = RetryPolicy(
      backoff: .exponential(from: .seconds(1)), maximumAttempts: 7, maximumDuration: .seconds(60),
      stop: .all
    ).obeying(.clamped(atMost: .seconds(9)).resettingBackoff()).resetting(afterHealthy: .seconds(5))
    let copy = try RetryPolicy(validating: decoded(policy.settings))
    #expect(copy.settings == policy.settings)
    #expect(copy.settings.hints == .clamped(atMost: .seconds(9)).resettingBackoff())
    #expect(copy.settings.healthyPeriod == .seconds(5))
    var settings = policy.settings
    settings.maximumAttempts = 0
    #expect(throws: ConfigurationError.self) { try RetryPolicy(validating: settings) }
  }
}
