import Pacing
import TestSupport
import Testing

@Suite("Worker policy")
struct WorkerPolicyTests {
  private static let millisecond: Nanoseconds = 1_000_000

  @Test(
    "a burst of handlers that block holds up another one by less than five milliseconds",
    arguments: [(10, 20), (100, 5), (100, 20), (100, 100), (120, 1000)], [1, 2, 8, 192])
  func bursts(blocked: (count: Int, milliseconds: Int), width: Int) {
    var simulation = WorkerSimulation(width: width)
    for index in 0..<blocked.count {
      simulation.add(
        index, at: 0, length: Nanoseconds(blocked.milliseconds) * Self.millisecond)
    }
    simulation.add(-1, at: Self.millisecond, length: 1000)
    simulation.run()
    #expect(simulation.waits[-1]! < 5 * Self.millisecond)
    #expect(simulation.completed == blocked.count + 1)
    #expect(simulation.violation == nil)
  }

  @Test(
    "where threads come slowly, a burst holds up another handler by less than ten milliseconds",
    arguments: [(120, 1), (120, 2), (120, 3), (100, 20), (120, 1000)], [0, 30])
  func slowThreads(blocked: (count: Int, milliseconds: Int), short: Int) {
    for seed in Soak.seeds(80) {
      var simulation = WorkerSimulation(width: 2, isSlow: true, seed: seed)
      for index in 0..<short {
        simulation.add(index, at: Nanoseconds(index) * 200_000, length: 2000)
      }
      let start = 50 * Self.millisecond
      for index in 0..<blocked.count {
        simulation.add(
          short + index, at: start, length: Nanoseconds(blocked.milliseconds) * Self.millisecond)
      }
      simulation.add(-1, at: start + Self.millisecond, length: 1000)
      simulation.run()
      #expect(simulation.waits[-1]! < 10 * Self.millisecond, "seed \(seed)")
      #expect(simulation.violation == nil, "seed \(seed)")
    }
  }

  @Test("pieces that end between two looks may have blocked: a line that is late gets threads")
  func endedBetweenLooks() {
    var policy = WorkerPolicy(width: 2, limit: 128)
    policy.held()
    for _ in 0..<20 { _ = policy.added() }
    #expect(policy.released() == .init(calls: 1))
    #expect(policy.arrived() == (true, .init(calls: 1)))
    #expect(policy.arrived() == (true, .init(mustLook: true)))
    for _ in 0..<2 { #expect(policy.ended(after: 2 * Self.millisecond) == (true, .init())) }
    #expect(policy.looked() == .init(calls: 8, mustLook: true))
  }

  @Test("each look at a line that is late doubles the threads on their way")
  func doubling() {
    var policy = WorkerPolicy(width: 1, limit: 128)
    policy.held()
    for _ in 0..<200 { _ = policy.added() }
    #expect(policy.released() == .init(calls: 1))
    #expect(policy.arrived() == (true, .init(mustLook: true)))
    for calls in [8, 8, 16, 32, 63, 0] {
      #expect(policy.looked() == .init(calls: calls, mustLook: true))
    }
  }

  @Test("a steady load that needs 15 threads gets them, and holds up no other handler")
  func steadyLoad() {
    var simulation = WorkerSimulation(width: 2)
    var random = SplitMix64(seed: 3)
    for timer in 1...300 {
      let phase = Nanoseconds.random(in: 0..<100 * Self.millisecond, using: &random)
      for round in 0..<20 {
        simulation.add(
          -timer, at: phase + Nanoseconds(round) * 100 * Self.millisecond,
          length: 5 * Self.millisecond)
      }
    }
    for index in 0..<100 {
      simulation.add(index, at: Nanoseconds(index) * 20 * Self.millisecond, length: 1000)
    }
    simulation.run()
    #expect((0..<100).allSatisfy { simulation.waits[$0]! < 5 * Self.millisecond })
    #expect(simulation.mostThreads < 64)
    #expect(simulation.violation == nil)
  }

  @Test("the line of a load that needs 7.5 threads does not grow", arguments: [1000, 150])
  func sustained(microseconds: Int) {
    var simulation = WorkerSimulation(width: 2)
    let length = Nanoseconds(microseconds) * 1000
    for index in 0..<10_000 {
      simulation.add(index, at: Nanoseconds(index) * length * 2 / 15, length: length)
    }
    simulation.run(until: 9_900 * length * 2 / 15)
    #expect(simulation.policy.waiting < 100)
    #expect(simulation.mostThreads < 64)
  }

  @Test("short handlers bring no crowd, at once or spread over a second")
  func shortHandlers() {
    for spacing: Nanoseconds in [0, 10_000] {
      var simulation = WorkerSimulation(width: 2)
      for index in 0..<10_000 {
        simulation.add(index, at: Nanoseconds(index) * spacing, length: 2000)
      }
      simulation.run()
      #expect(simulation.mostThreads <= 8)
      #expect(simulation.wakes < 5_000)
      #expect(simulation.completed == 10_000)
    }
  }

  @Test("ten thousand handlers that block take little more than 128 threads need")
  func manyBlocked() {
    var simulation = WorkerSimulation(width: 2)
    for index in 0..<10_000 { simulation.add(index, at: 0, length: 20 * Self.millisecond) }
    simulation.run()
    #expect(Double(simulation.now) < 1.1 * 10_000 / 128 * 20 * Double(Self.millisecond))
    #expect(simulation.mostThreads == 128)
  }

  @Test("more processors than may block are all used")
  func wide() {
    var simulation = WorkerSimulation(width: 192)
    for index in 0..<300 { simulation.add(index, at: 0, length: 200 * Self.millisecond) }
    simulation.run()
    #expect(simulation.mostThreads == 192)
    #expect(simulation.completed == 300)
    #expect(simulation.violation == nil)
  }

  @Test("a thread that cannot be made leaves a look behind")
  func failure() {
    var policy = WorkerPolicy(width: 1, limit: 1)
    #expect(policy.added() == .init(calls: 1))
    #expect(policy.failed() == .init(mustLook: true))
    #expect(policy.looked() == .init(calls: 1, mustLook: true))
    let (takes, step) = policy.arrived()
    #expect(takes && step == .init())
  }

  @Test("a crowd that comes at once is a wake for each processor, not for each piece")
  func crowd() {
    var simulation = WorkerSimulation(width: 2)
    simulation.hold(from: 0, to: 64_000)
    for index in 0..<64 { simulation.add(index, at: Nanoseconds(index) * 1000, length: 500) }
    simulation.run()
    #expect(simulation.wakes == 2)
    #expect(simulation.completed == 64)
    #expect(simulation.violation == nil)
  }

  @Test("a piece of exactly the length that may have blocked counts as such")
  func long() {
    var policy = WorkerPolicy(width: 1, limit: 4)
    for _ in 0..<3 {
      #expect(policy.added() == .init(calls: 1))
      #expect(policy.arrived().takes)
      #expect(!policy.ended(after: 200_000).takes)
    }
    // Eager by now: each piece has a thread.
    #expect(policy.added() == .init(calls: 1) && policy.added() == .init(calls: 1))
  }

  @Test("a piece of exactly the length that is not short leaves the line to no single thread")
  func notShort() {
    var policy = WorkerPolicy(width: 2, limit: 4)
    policy.held()
    for _ in 0..<3 { _ = policy.added() }
    #expect(policy.released() == .init(calls: 1))
    _ = policy.arrived()
    _ = policy.failed()
    let (takes, step) = policy.ended(after: 20_000)
    #expect(takes && step.calls == 1)
  }

  @Test("a piece that came after the last look is not late, however many threads are busy")
  func newPiece() {
    var policy = WorkerPolicy(width: 2, limit: 8)
    for _ in 0..<2 {
      #expect(policy.added() == .init(calls: 1))
      #expect(policy.arrived().takes)
    }
    #expect(policy.added() == .init(mustLook: true))
    #expect(policy.ended(after: 50_000).takes)
    #expect(policy.added() == .init())
    #expect(policy.looked() == .init(mustLook: true))
  }

  @Test("the looks at a slow line count only as long as it is there")
  func looksInARow() {
    var policy = WorkerPolicy(width: 1, limit: 4)
    func fill(_ count: Int) {
      #expect(policy.added() == .init(calls: 1))
      policy.held()
      for _ in 1..<count { _ = policy.added() }
      let (takes, step) = policy.arrived()
      #expect(takes && step == .init(mustLook: true))
      #expect(policy.released() == .init())
    }
    fill(11)
    for _ in 0..<7 {
      #expect(policy.ended(after: 50_000).takes)
      #expect(policy.looked() == .init(mustLook: true))
    }
    for left in [3, 2, 1, 0] { #expect(policy.ended(after: 50_000).takes == (left > 0)) }
    #expect(policy.looked() == .init())
    // The eighth look would get the line a thread, but this is the first one at another line.
    fill(4)
    #expect(policy.ended(after: 50_000).takes)
    #expect(policy.looked() == .init(mustLook: true))
  }

  @Test("an idle pool owes nothing")
  func idle() {
    var policy = WorkerPolicy(width: 2, limit: 128)
    #expect(policy.added() == .init(calls: 1))
    #expect(policy.arrived().takes)
    let (takes, step) = policy.ended(after: 1000)
    #expect(!takes && step == .init())
    #expect(policy.looked() == .init())
    #expect(policy.busy == 0 && policy.called == 0 && !policy.isLooking)
  }

  @Test(
    "law: while a piece waits, a thread comes, or a look is due, or all are busy, or a crowd is held",
    arguments: Soak.portions(400))
  func law(seeds: ClosedRange<UInt64>) {
    for seed in seeds {
      var random = SplitMix64(seed: seed)
      var simulation = WorkerSimulation(
        width: .random(in: 1...6, using: &random), limit: .random(in: 1...12, using: &random),
        seed: seed)
      let count = Int.random(in: 1...150, using: &random)
      for index in 0..<count {
        simulation.add(
          index, at: .random(in: 0..<50 * Self.millisecond, using: &random),
          length: 1 << Nanoseconds.random(in: 8...27, using: &random))
      }
      for _ in 0..<Int.random(in: 0...20, using: &random) {
        let start = Nanoseconds.random(in: 0..<50 * Self.millisecond, using: &random)
        simulation.hold(from: start, to: start + .random(in: 0...300_000, using: &random))
      }
      simulation.run()
      #expect(simulation.violation == nil, "seed \(seed)")
      #expect(simulation.completed == count, "seed \(seed)")
      let policy = simulation.policy
      #expect(policy.busy == 0 && policy.called == 0 && !policy.isLooking, "seed \(seed)")
    }
  }
}
