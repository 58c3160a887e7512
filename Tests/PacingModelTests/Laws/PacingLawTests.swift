import Pacing
import PacingTesting
import Synchronization
import TestSupport
import Testing

/// Random runs of a tool against a naive model, with occasional late timers; a failure names its
/// seed.
@Suite("Laws of debounce, throttle, audit and sample")
struct PacingLawTests {
  private final class Log: Sendable {
    private let entries = Mutex<[[Int]]>([])

    func add(_ value: Int, at time: Int) { entries.withLock { $0.append([value, time]) } }
    var all: [[Int]] { entries.withLock { $0 } }
  }

  /// Runs one random script against the tool and the model, and compares them at every step.
  private func check<Model: NaiveModel>(
    seed: UInt64, _ model: Model, _ generator: inout SplitMix64,
    _ make: (ManualClock, @escaping @Sendable (Int) -> Void) -> some ValuePacingTool<Int>
  ) {
    for isLazy in [false, true] {
      var generator = generator
      check(seed: seed, model, &generator, ManualClock(isLazy: isLazy), make)
    }
  }

  private func check<Model: NaiveModel>(
    seed: UInt64, _ model: Model, _ generator: inout SplitMix64, _ clock: ManualClock,
    _ make: (ManualClock, @escaping @Sendable (Int) -> Void) -> some ValuePacingTool<Int>
  ) {
    let log = Log()
    let start = clock.now
    @Sendable func time() -> Int { Int(start.duration(to: clock.now) / .milliseconds(1)) }
    let tool = make(clock) { log.add($0, at: time()) }
    var model = model
    var expected = [[Int]]()
    func deliver() {
      guard let held = model.held else { return }
      expected.append([held, time()])
      model.deliver(at: time())
    }
    func settle() {
      while let due = model.dueTime, due <= time() { deliver() }
    }
    for step in 0..<40 {
      switch Int.random(in: 0..<10, using: &generator) {
      case 0...4:
        settle()
        model.send(step, at: time())
        settle()
        tool.send(step)
      case 5:
        settle()
        let held = model.held
        if let held {
          expected.append([held, time()])
          model.flush(at: time())
        }
        #expect(tool.flush() == (held != nil), "seed \(seed), step \(step)")
      case 6:
        let held = model.held
        model.cancel()
        #expect(tool.cancel() == held, "seed \(seed), step \(step)")
      case 7:
        clock.lapse(by: .milliseconds(Int.random(in: 0..<30, using: &generator)))
        continue
      default:
        for _ in 0..<Int.random(in: 0..<30, using: &generator) {
          settle()
          clock.advance(by: .milliseconds(1))
          settle()
        }
      }
      clock.runReady()
      #expect(tool.isPending == (model.held != nil), "seed \(seed), step \(step)")
    }
    #expect(log.all == expected, "seed \(seed)")
  }

  private func randomEdges(_ generator: inout SplitMix64) -> Edges {
    [Edges.leading, .trailing, .both].randomElement(using: &generator)!
  }

  @Test("a debouncer does what the model does", arguments: Soak.portions(2_000))
  func debounce(seeds: ClosedRange<UInt64>) {
    for seed in seeds {
      var generator = SplitMix64(seed: seed)
      let wait = Int.random(in: 0...20, using: &generator)
      let limit = Int.random(in: 0...100, using: &generator)
      let maximumWait = limit <= 50 ? limit : nil
      let edges = randomEdges(&generator)
      let model = NaiveDebounce(wait: wait, maximumWait: maximumWait, edges: edges)
      check(seed: seed, model, &generator) { clock, handler in
        Debouncer<Int>(
          for: .milliseconds(wait), edges: edges,
          maximumWait: maximumWait.map { .milliseconds($0) }, clock: clock, handler: handler)
      }
    }
  }

  @Test("a throttler does what the model does", arguments: Soak.portions(2_000))
  func throttle(seeds: ClosedRange<UInt64>) {
    for seed in seeds {
      var generator = SplitMix64(seed: seed)
      let interval = Int.random(in: 0...20, using: &generator)
      let edges = randomEdges(&generator)
      let keepsFirst = Bool.random(using: &generator)
      let model = NaiveThrottle(interval: interval, edges: edges, keepsFirst: keepsFirst)
      check(seed: seed, model, &generator) { clock, handler in
        Throttler<Int>(
          every: .milliseconds(interval), edges: edges, keeping: keepsFirst ? .first : .latest,
          clock: clock, handler: handler)
      }
    }
  }

  @Test("an auditor does what the model does", arguments: Soak.portions(500))
  func audit(seeds: ClosedRange<UInt64>) {
    for seed in seeds {
      var generator = SplitMix64(seed: seed)
      let window = Int.random(in: 0...20, using: &generator)
      check(seed: seed, NaiveAudit(window: window), &generator) { clock, handler in
        Auditor<Int>(for: .milliseconds(window), clock: clock, handler: handler)
      }
    }
  }

  @Test("a sampler does what the model does", arguments: Soak.portions(500))
  func sample(seeds: ClosedRange<UInt64>) {
    for seed in seeds {
      var generator = SplitMix64(seed: seed)
      let period = Int.random(in: 1...20, using: &generator)
      check(seed: seed, NaiveSample(period: period), &generator) { clock, handler in
        Sampler<Int>(every: .milliseconds(period), clock: clock, handler: handler)
      }
    }
  }
}
