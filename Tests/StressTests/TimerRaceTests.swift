import Dispatch
import Pacing
import PacingTesting
import TestSupport
import Testing

@Suite("Timers and races")
struct TimerRaceTests {
  private static func act(on timer: DispatchTimer?, using random: inout SplitMix64) {
    guard let timer else { return }
    switch Int.random(in: 0..<12, using: &random) {
    case 0, 1: timer.start()
    case 2: timer.suspend()
    case 3: timer.resume()
    case 4: timer.reschedule(every: .microseconds(Int.random(in: 1...200, using: &random)))
    case 5, 6: timer.fireNow()
    case 7: _ = (timer.state, timer.isValid, timer.nextDeadline)
    case 8: _ = timer.ticks()
    case 9 where Int.random(in: 0..<20, using: &random) == 0: timer.cancel()
    default: timer.reset(nextAt: DispatchClock().now)
    }
  }

  @Test(
    "any calls from any thread and the handler, and a drop at any moment, do no harm",
    arguments: Soak.seeds(60))
  func randomWalk(seed: UInt64) async {
    let running = Counter()
    let ticks = Recorder<Tick>()
    let released = CountDown(1)
    let slot = Slot<DispatchTimer>()
    do {
      let end = Burden("end") { released.arrive() }
      let policies: [MissedTicks] = [.skip, .coalesce, .delay, .burst(limit: 3)]
      let timer = DispatchTimer(
        every: .microseconds(20), missed: policies[Int(seed % 4)]
      ) { tick in
        #expect(running.add() == 1, "one handler at a time")
        var random = SplitMix64(seed: seed &+ UInt64(tick.index))
        withExtendedLifetime(end) { ticks.record(tick) }
        Self.act(on: slot.value, using: &random)
        running.add(-1)
      }
      slot.put(timer)
    }
    DispatchQueue.concurrentPerform(iterations: 4) { thread in
      var random = SplitMix64(seed: seed &* 4 &+ UInt64(thread))
      for step in 0..<200 {
        Self.act(on: slot.value, using: &random)
        if thread == 0, step == 150 { slot.put(nil) }
      }
    }
    await released.wait()
    let all = ticks.values
    for (before, tick) in zip(all, all.dropFirst()) {
      #expect(tick.index == before.index + 1 + tick.missed, "seed \(seed)")
      #expect(tick.actual >= tick.scheduled && tick.actual >= before.actual, "seed \(seed)")
    }
  }

  @Test(
    "a stream of ticks is taken, cancelled and dropped at any moment", arguments: Soak.seeds(60))
  func streams(seed: UInt64) async {
    let task = Task {
      var last: Tick?
      for await tick in DispatchTimer.ticks(every: .microseconds(30), first: .now) {
        #expect(tick.actual >= tick.scheduled)
        if let last { #expect(tick.index == last.index + 1 + tick.missed) }
        last = tick
        if tick.index > Int(seed) { break }
      }
    }
    if seed.isMultiple(of: 3) { task.cancel() }
    await task.value
  }

  @Test("a sleep ends once: at its deadline and not before, or when its task is cancelled")
  func sleeps() async {
    let clock = DispatchClock()
    await withTaskGroup(of: Void.self) { group in
      for index in 0..<400 {
        group.addTask {
          let deadline = clock.now.advanced(by: .microseconds(index * 5))
          let task = Task { try await clock.sleep(until: deadline, tolerance: .microseconds(50)) }
          if index.isMultiple(of: 2) {
            try? await clock.sleep(until: deadline)
            task.cancel()
          }
          do {
            try await task.value
            #expect(clock.now >= deadline)
          } catch {
            #expect(error is CancellationError)
          }
        }
      }
    }
  }
}
