import Pacing
import PacingTesting
import TestSupport
import Testing

/// Spacing and latency under random schedules, observed only on deliveries.
@Suite("Laws of spacing and latency")
struct TimingLawTests {
  private struct Entry {
    let value: Int
    let time: Int
  }

  /// Sends step numbers at random times; returns when each was sent, and the deliveries.
  ///
  /// If it is steered, values are also withdrawn, and the tool is suspended and resumed.
  private func play(
    seed: UInt64, _ generator: inout SplitMix64, isLate: Bool, isSteered: Bool = false,
    finish: Finish?,
    _ make: (ManualClock, @escaping @Sendable (Int) -> Void) -> any ValuePacingTool<Int>
  ) -> (sent: [Int: Int], delivered: [Entry]) {
    let clock = ManualClock()
    let log = EventRecorder<Entry>()
    let tool = make(clock) { log.record(Entry(value: $0, time: clock.now.milliseconds)) }
    var sent = [Int: Int]()
    for step in 0..<80 {
      switch Int.random(in: 0..<8, using: &generator) {
      case 0..<4:
        sent[step] = clock.now.milliseconds
        tool.send(step)
        clock.runReady()
      case 4 where isSteered && Bool.random(using: &generator):
        steer(tool, &generator)
        clock.runReady()
      case 4 where isLate:
        clock.lapse(by: .milliseconds(Int.random(in: 0..<60, using: &generator)))
      default: clock.advance(by: .milliseconds(Int.random(in: 0..<12, using: &generator)))
      }
    }
    if let finish { for _ in 0..<3 { tool.finish(finish) } }
    clock.advance(by: .seconds(10))
    #expect(clock.pendingCount == 0 && !tool.isPending, "seed \(seed)")
    return (sent, log.values)
  }

  private func steer(_ tool: any ValuePacingTool<Int>, _ generator: inout SplitMix64) {
    switch Int.random(in: 0..<3, using: &generator) {
    case 0: tool.cancel()
    case 1: tool.suspend()
    default: tool.resume()
    }
  }

  @Test(
    "no two deliveries of a throttler are closer than its window", arguments: Soak.portions(500))
  func spacing(seeds: ClosedRange<UInt64>) {
    for seed in seeds {
      var generator = SplitMix64(seed: seed)
      let interval = Int.random(in: 1...30, using: &generator)
      let edges = [Edges.leading, .trailing, .both].randomElement(using: &generator)!
      let (_, delivered) = play(
        seed: seed, &generator, isLate: true, isSteered: seed.isMultiple(of: 2), finish: .whenDue
      ) { clock, handler in
        Throttler<Int>(every: .milliseconds(interval), edges: edges, clock: clock, handler: handler)
      }
      let isSpaced = zip(delivered, delivered.dropFirst()).allSatisfy {
        $1.time - $0.time >= interval && $1.value > $0.value
      }
      #expect(isSpaced && (!delivered.isEmpty || seed.isMultiple(of: 2)), "seed \(seed)")
    }
  }

  @Test("no value waits longer than its maximum", arguments: Soak.portions(500))
  func latency(seeds: ClosedRange<UInt64>) {
    for seed in seeds {
      var generator = SplitMix64(seed: seed)
      let wait = Int.random(in: 0...30, using: &generator)
      let maximumWait = Int.random(in: 0...60, using: &generator)
      let isThrottling = Bool.random(using: &generator)
      let edges = [Edges.trailing, .both].randomElement(using: &generator)!
      let (sent, delivered) = play(seed: seed, &generator, isLate: false, finish: nil) {
        clock, handler -> any ValuePacingTool<Int> in
        isThrottling
          ? Throttler(every: .milliseconds(wait), edges: edges, clock: clock, handler: handler)
          : Debouncer(
            for: .milliseconds(wait), edges: edges, maximumWait: .milliseconds(maximumWait),
            clock: clock, handler: handler)
      }
      let limit = isThrottling ? wait : max(wait, maximumWait)
      // A value that is not delivered is represented by the next one that is.
      for (value, time) in sent {
        let next = delivered.first { $0.value >= value }
        if next.map({ $0.time - time > limit }) ?? true {
          Issue.record("seed \(seed), \(value) at \(time): \(delivered)")
        }
      }
      #expect(Set(delivered.map(\.value)).count == delivered.count, "seed \(seed)")
    }
  }

  @Test("after the last reference has gone nothing runs but what was decided", arguments: 0..<20)
  func noWorkAfterwards(lateness: Int) {
    let clock = ManualClock()
    let log = EventRecorder<Int>()
    for wait in 1...10 {
      let throttler = Throttler<Int>(every: .milliseconds(wait), clock: clock) { log.record($0) }
      let debouncer = Debouncer<Int>(for: .milliseconds(wait), clock: clock) { log.record(-$0) }
      throttler.send(1)
      throttler.send(2)
      debouncer.send(3)
      clock.lapse(by: .milliseconds(lateness))
    }
    clock.advance(by: .seconds(1))
    #expect(log.values == Array(repeating: 1, count: 10))
    #expect(clock.pendingCount == 0)
  }
}
