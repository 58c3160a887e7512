import Pacing
import PacingTesting
import TestSupport
import Testing

/// Random runs of every tool: at every moment each value is in one place, and each drop is reported
/// once.
@Suite("Conservation")
struct ConservationTests {
  @Test(
    "received is delivered, merged, dropped or pending, whatever is done to the tool",
    arguments: Specimen.Kind.allCases, Specimen.Consumer.allCases)
  func conservation(kind: Specimen.Kind, consumer: Specimen.Consumer) async {
    for seed in Soak.seeds(60) { await run(seed: seed, kind, consumer) }
  }

  private func run(
    seed: UInt64, _ kind: Specimen.Kind, _ consumer: Specimen.Consumer
  ) async {
    var generator = SplitMix64(seed: seed)
    let clock = ManualClock()
    let gate = Gate<Int>()
    let specimen = Specimen(kind, consumer, clock, gate, &generator)
    var streams = [any Sendable]()
    var sent = 0
    let finishes = [Finish.whenDue, .atOnce, .discard, nil]
    for step in 0..<60 {
      switch Int.random(in: 0..<26, using: &generator) {
      case 0..<12:
        specimen.send?(sent)
        sent += 1
      case 12: specimen.flush?()
      case 13: specimen.cancel?()
      case 15 where step > 40: specimen.finish?(finishes.randomElement(using: &generator)!)
      case 16: if let stream = specimen.subscribe?() { streams.append(stream) }
      case 17: streams = []
      case 18: clock.lapse(by: .milliseconds(Int.random(in: 0..<20, using: &generator)))
      case 14, 24, 25: specimen.suspend?(Bool.random(using: &generator))
      case 19, 20: gate.open(Int.random(in: 0...max(0, sent), using: &generator))
      default: clock.advance(by: .milliseconds(Int.random(in: 0..<15, using: &generator)))
      }
      let counts = specimen.counts!()
      let sum = counts.delivered + counts.merged + counts.dropped + counts.pending
      if counts.received != sum || counts.received != sent {
        Issue.record("seed \(seed), step \(step), \(sent) sent: \(counts)")
        return
      }
    }
    let isWaitedFor = Bool.random(using: &generator)
    if isWaitedFor {
      gate.openAll()
      clock.advance(by: .seconds(1))
      await clock.settle()
      clock.advance(by: .seconds(1))
      let counts = specimen.counts!()
      let reported = specimen.drops.values
      #expect(counts.dropped == reported.count, "seed \(seed): \(counts), \(reported)")
      for reason in Set(reported) {
        #expect(counts.dropped(reason) == reported.count { $0 == reason }, "seed \(seed)")
      }
    }
    // Decided deliveries still run; pending values are dropped and reported.
    let last = specimen.counts!()
    specimen.letGo()
    gate.openAll()
    clock.advance(by: .zero)
    await clock.settle()
    clock.advance(by: .seconds(1))
    await clock.settle()
    clock.runReady()
    let delivered = consumer == .streams ? last.delivered : specimen.delivered.value
    let ends = delivered + specimen.drops.values.count + last.merged
    #expect(ends == sent || consumer == .streams && ends <= sent, "seed \(seed): \(last)")
    #expect(clock.pendingCount == 0, "seed \(seed)")
  }
}
