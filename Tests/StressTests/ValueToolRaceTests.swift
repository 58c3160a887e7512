import Dispatch
import Pacing
import PacingTesting
import TestSupport
import Testing

@Suite("Values and races", .alone)
struct ValueToolRaceTests {
  @Test(
    "a task per call loses the order: of 50 calls none is wrong, 200 times, on 8 threads too",
    arguments: [1, 8])
  func order(threads: Int) async {
    let rounds = 200 / threads
    let left = CountDown(threads * rounds)
    DispatchQueue.concurrentPerform(iterations: threads) { _ in
      for _ in 0..<rounds {
        let delivered = EventRecorder<Int>()
        // The handler is released after its last run.
        let end = Burden("end") {
          let values = delivered.values
          #expect(zip(values, values.dropFirst()).allSatisfy { $0 < $1 })
          #expect(values.last == 49)
          left.arrive()
        }
        let throttler = Throttler<Int>(every: .microseconds(20)) { value in
          withExtendedLifetime(end) { delivered.record(value) }
        }
        for value in 0..<50 { throttler.send(value) }
        throttler.finish()
      }
    }
    await left.wait()
  }

  @Test("two threads that each change a setting lose no change")
  func settings() async {
    let (plain, keyed) = (
      Debouncer<Int>(for: .seconds(1)) { _ in },
      KeyedThrottler<Int, Int>(every: .seconds(1)) { _, _ in }
    )
    let lost = Counter()
    DispatchQueue.concurrentPerform(iterations: 2) { thread in
      for round in 1...5000 * Soak.scale {
        if thread == 0 {
          plain.edges = round.isMultiple(of: 2) ? .both : .trailing
          keyed.edges = plain.edges
        } else {
          let span = Duration.milliseconds(round)
          plain.wait = span
          keyed.interval = span
          if plain.wait != span || keyed.interval != span { lost.add() }
        }
      }
    }
    #expect(lost.value == 0)
  }

  @Test("the calls of each of 8 threads on one tool keep their order")
  func orderOfEachThread() async {
    let left = CountDown(1)
    let delivered = EventRecorder<(thread: Int, value: Int)>()
    do {
      let end = Burden("end") { left.arrive() }
      let throttler = Throttler<(thread: Int, value: Int)>(every: .microseconds(10)) { value in
        withExtendedLifetime(end) { delivered.record(value) }
      }
      DispatchQueue.concurrentPerform(iterations: 8) { thread in
        for value in 0..<2000 { throttler.send((thread, value)) }
      }
      throttler.finish()
    }
    await left.wait()
    for thread in 0..<8 {
      let values = delivered.values.filter { $0.thread == thread }.map(\.value)
      #expect(zip(values, values.dropFirst()).allSatisfy { $0 < $1 })
    }
    #expect(delivered.values.count > 0)
  }

  @Test(
    "a value is delivered, withdrawn or dropped, and only one of them; one handler runs at a time",
    arguments: Soak.seeds(40))
  func oneFate(seed: UInt64) async {
    let delivered = EventRecorder<Int>()
    let withdrawn = EventRecorder<Int>()
    let running = Counter()
    let left = CountDown(1)
    do {
      let end = Burden("end") { left.arrive() }
      let debouncer = Debouncer<Int>(
        for: .microseconds(Int(seed % 3) * 15), edges: seed.isMultiple(of: 2) ? .both : .trailing
      ) { value in
        #expect(running.add() == 1)
        withExtendedLifetime(end) { delivered.record(value) }
        running.add(-1)
      }
      DispatchQueue.concurrentPerform(iterations: 4) { thread in
        var random = SplitMix64(seed: seed &* 4 &+ UInt64(thread))
        for index in 0..<250 {
          switch Int.random(in: 0..<8, using: &random) {
          case 0: debouncer.flush()
          case 1: if let value = debouncer.cancel() { withdrawn.record(value) }
          case 2: _ = debouncer.isPending
          case 3: _ = debouncer.ticks()
          default: debouncer.send(thread * 1000 + index)
          }
        }
      }
      if seed.isMultiple(of: 3) { debouncer.finish() }
    }
    await left.wait()
    let fates = delivered.values + withdrawn.values
    #expect(Set(fates).count == fates.count, "seed \(seed)")
  }

  @Test("consumers of a stream end when they are cancelled, whatever comes at that moment")
  func mailboxes() async {
    for round in 0..<40 * Soak.scale {
      let throttler = Throttler<Int>(every: .microseconds(10))
      let tasks = (0..<3).map { _ in
        let ticks = throttler.ticks()
        return Task {
          var taken = [Int]()
          for await value in ticks { taken.append(value) }
          return taken
        }
      }
      DispatchQueue.concurrentPerform(iterations: 2) { thread in
        for value in 0..<50 {
          if thread == 0 {
            throttler.send(value)
          } else if value % 20 == round % 20, value / 20 < 2 {
            tasks[value / 20].cancel()
          }
        }
      }
      throttler.finish()
      for task in tasks {
        let taken = await task.value
        #expect(zip(taken, taken.dropFirst()).allSatisfy { $0 < $1 })
      }
      #expect(await tasks[2].value.last == 49)
    }
  }
}
