import Pacing
import TestSupport
import Testing

@Suite("Wake lead")
struct WakeLeadTests {
  private static func at(_ nanoseconds: Nanoseconds) -> PacingInstant {
    PacingInstant(nanoseconds: nanoseconds)
  }

  @Test("without a wake there is no lead, and a short wait never has one")
  func none() {
    var lead = WakeLead()
    #expect(lead.instant(for: Self.at(9_000_000), at: Self.at(0)) == Self.at(9_000_000))
    for _ in 0..<100 {
      _ = lead.instant(for: Self.at(9_000_000), at: Self.at(0))
      lead.woke(at: Self.at(9_060_000))
    }
    #expect(lead.instant(for: Self.at(9_000_000), at: Self.at(8_000_000)) == Self.at(9_000_000))
    #expect(lead.instant(for: .distantFuture, at: Self.at(0)) == .distantFuture)
  }

  @Test("a wake that was not awaited with a lead teaches nothing")
  func unawaited() {
    var lead = WakeLead()
    _ = lead.instant(for: Self.at(9_000_000), at: Self.at(8_500_000))
    lead.woke(at: Self.at(9_900_000))
    lead.woke(at: Self.at(9_900_000))
    #expect(lead.instant(for: Self.at(90_000_000), at: Self.at(0)) == Self.at(90_000_000))
  }

  @Test(
    "one wake in eight comes early, and the others late by less than the system's spread",
    arguments: Soak.seeds(20))
  func learns(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    var lead = WakeLead()
    let least = Nanoseconds.random(in: 0...60_000, using: &random)
    let spread = Nanoseconds.random(in: 1...30_000, using: &random)
    var early = 0
    var lateness = [Nanoseconds]()
    for round in 1...20_000 {
      let deadline = Self.at(Nanoseconds(round) * 10_000_000)
      let asked = lead.instant(for: deadline, at: deadline + -5_000_000)
      let woken = asked + .random(in: least...(least + spread), using: &random)
      if round > 2000 {
        if woken < deadline { early += 1 } else { lateness.append(woken - deadline) }
      }
      lead.woke(at: woken)
    }
    // Steps of 250 ns cannot follow a spread that is shorter.
    #expect(early < 18_000 / 6, "seed \(seed)")
    #expect(lateness.max()! <= spread + 6000, "seed \(seed)")
  }

  @Test("the lead is at most 100 µs, however late the wakes are")
  func bounded() {
    var lead = WakeLead()
    for _ in 0..<5000 {
      _ = lead.instant(for: Self.at(9_000_000), at: Self.at(0))
      lead.woke(at: Self.at(90_000_000))
    }
    #expect(lead.instant(for: Self.at(9_000_000), at: Self.at(0)) == Self.at(8_900_000))
  }
}
