import Foundation
import Pacing
import PacingTesting
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
      .exponential(from: .milliseconds(100), factor: 1.5),
      .linear(from: .seconds(1), by: .seconds(2)), .list([.seconds(1), .seconds(5)]),
      .constant(.seconds(1)).jittered(.decorrelated, seed: 7),
      .constant(.seconds(1)).jittered(.proportional(0.25)),
      .constant(.seconds(1)).jittered(.equal, seed: 3),
    ] as [Backoff])
  func backoffs(backoff: Backoff) throws {
    let copy = try decoded(backoff)
    #expect(copy == backoff && "\(copy)" == "\(backoff)")
    #expect(copy != backoff.capped(at: .seconds(7)))
    var (one, other) = (BackoffDelays(copy), BackoffDelays(backoff))
    for _ in 0..<9 { #expect(one.next(draw: 0.3) == other.next(draw: 0.3)) }
  }

  @Test("a closure cannot be encoded, and what no backoff can be is refused")
  func refusals() throws {
    let custom = Backoff.custom { _ in .zero }
    #expect(custom == custom && custom != .custom { _ in .zero })
    #expect(throws: EncodingError.self) { try JSONEncoder().encode(custom) }
    let inner = #"{"kind": "exponential", "base": -1}"#
    let error = #expect(throws: DecodingError.self) {
      try JSONDecoder().decode([Backoff].self, from: Data("[\(inner)]".utf8))
    }
    guard case .dataCorrupted(let context) = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(context.codingPath.map(\.stringValue) == ["Index 0"])
    #expect(context.debugDescription.hasPrefix("base must"), "\(context.debugDescription)")
    for bad in [
      #"{"kind": "proportional", "ratio": 2}"#, #"{"kind": "proportional"}"#, #"{"kind": "some"}"#,
    ] {
      let backoff = #"{"kind": "list", "delays": [1], "jitter": \#(bad)}"#
      #expect(throws: DecodingError.self) {
        try JSONDecoder().decode(Backoff.self, from: Data(backoff.utf8))
      }
    }
    for bad in [#"{"kind": "linear", "base": 1}"#, #"{"kind": "list"}"#, #"{"base": 1}"#] {
      #expect(throws: DecodingError.self) {
        try JSONDecoder().decode(Backoff.self, from: Data(bad.utf8))
      }
    }
  }

  @Test("a policy is made again from its settings")
  func policy() throws {
    let policy = RetryPolicy(
      backoff: .exponential(from: .seconds(1)), maximumAttempts: 7, maximumDuration: .seconds(60)
    ).obeyingHints(atMost: .seconds(9)).resetting(afterHealthy: .seconds(5))
    let ends = EventRecorder<String>()
    let copy = try decoded(policy).onGiveUp { ends.record("first \($0.reason)") }
      .onGiveUp { ends.record("then \($0.reason)") }
    copy.onGiveUp(GiveUp(reason: .budget, attempts: 1, elapsed: .zero))
    #expect(ends.values == ["first budget", "then budget"])
    #expect(copy.backoff == policy.backoff && copy.maximumAttempts == 7)
    #expect(copy.maximumDuration == .seconds(60) && copy.attemptTimeout == nil)
    #expect(copy.maximumHint == .seconds(9) && copy.healthyPeriod == .seconds(5))
  }

  @Test(
    "settings that no policy can have are not decoded",
    arguments: ["maximumAttempts", "maximumDuration", "attemptTimeout"])
  func badSettings(name: String) throws {
    struct Fields: Codable {
      var backoff = Backoff.none
      var maximumAttempts = 1
      var maximumDuration = Duration.zero
      var attemptTimeout = Duration.seconds(1)
      var maximumHint = Duration.zero
    }
    var fields = Fields()
    _ = try JSONDecoder().decode(RetryPolicy.self, from: JSONEncoder().encode(fields))
    if name == "maximumAttempts" { fields.maximumAttempts = 0 }
    if name == "maximumDuration" { fields.maximumDuration = .seconds(-1) }
    if name == "attemptTimeout" { fields.attemptTimeout = .zero }
    let text = try JSONEncoder().encode(fields)
    let error = #expect(throws: DecodingError.self) {
      try JSONDecoder().decode(RetryPolicy.self, from: text)
    }
    guard case .dataCorrupted(let context) = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(context.debugDescription.hasPrefix(name))
  }
}
