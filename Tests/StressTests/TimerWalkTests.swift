import Dispatch
import Pacing
import PacingTesting
import TestSupport
import Testing

/// The ticks of a timer's handler, and the laws that hold for them.
private final class Log: Sendable {
  private struct State {
    var last: Tick?
    var isRunning = false
    var count = 0
  }

  private let state = Locked(State())
  private let seed: UInt64
  private let released: CountDown

  init(seed: UInt64, released: CountDown) {
    self.seed = seed
    self.released = released
  }

  deinit { released.arrive() }

  var count: Int { state.withLock { $0.count } }

  func began(_ tick: Tick) {
    let (before, wasRunning) = state.withLock { state in
      defer {
        state.last = tick
        state.isRunning = true
        state.count += 1
      }
      return (state.last, state.isRunning)
    }
    #expect(!wasRunning, "one handler at a time, seed \(seed)")
    #expect(tick.actual >= tick.scheduled, "no tick is early, seed \(seed)")
    #expect(tick.actual <= DispatchClock().now, "seed \(seed)")
    guard let before else { return }
    #expect(tick.index == before.index + 1 + tick.missed, "seed \(seed)")
    #expect(tick.actual >= before.actual, "seed \(seed)")
    if let left = before.remaining { #expect(tick.remaining == left - 1, "seed \(seed)") }
  }

  func ended() {
    state.withLock { $0.isRunning = false }
  }
}

/// A few timers on which several threads and the timers' own handlers make random calls.
private final class Walk: Sendable {
  static let (threads, steps, stepsPerTimer) = (4, 250, 25)

  private struct Entry: Sendable {
    let timer: DispatchTimer
    weak var log: Log?
  }

  private let seed: UInt64
  private let slots = (0..<3).map { _ in Slot<Entry>() }
  private let released = CountDown(threads * steps / stepsPerTimer)

  init(seed: UInt64) {
    self.seed = seed
  }

  /// Runs all threads, ends the remaining timers, and returns when everything is released.
  func run() async {
    DispatchQueue.concurrentPerform(iterations: Self.threads) { thread in
      var random = SplitMix64(seed: seed &* 16 &+ UInt64(thread))
      for step in 0..<Self.steps {
        // Drops the timer that it displaces, in any state.
        if step.isMultiple(of: Self.stepsPerTimer) {
          slots.randomElement(using: &random)!.put(make(using: &random))
        }
        act(using: &random)
      }
    }
    for slot in slots {
      guard let entry = slot.put(nil) else { continue }
      // Keeps the log alive, because a finished timer releases its handler.
      let log = entry.log
      await entry.timer.cancelAndWait()
      let count = log?.count
      #expect(!entry.timer.start() && !entry.timer.fireNow() && !entry.timer.cancel())
      #expect(entry.timer.state == .finished && entry.timer.nextDeadline == nil)
      #expect(log?.count == count, "nothing after cancel, seed \(seed)")
    }
    await released.wait()
  }

  private func make(using random: inout SplitMix64) -> Entry {
    let log = Log(seed: seed, released: released)
    let timer = DispatchTimer(schedule(using: &random))
    timer.handle(with: timer) { [weak self] timer, tick in
      log.began(tick)
      var random = SplitMix64(seed: UInt64(tick.index))
      if Int.random(in: 0..<4, using: &random) == 0 { self?.act(using: &random) }
      if Int.random(in: 0..<40, using: &random) == 0 { timer.cancel() }
      log.ended()
    }
    if Bool.random(using: &random) { timer.start() }
    return Entry(timer: timer, log: log)
  }

  private func schedule(using random: inout SplitMix64) -> TickSchedule {
    let policies: [MissedTicks] = [.skip, .coalesce, .delay, .burst, .burst(limit: 3)]
    let firsts: [FirstTick] = [
      .afterPeriod, .now, .after(.microseconds(40)), .at(DispatchClock().now), .aligned,
      .aligned(offset: .microseconds(7)), .atWallTime(.zero),
    ]
    let counts: [Int?] = [nil, nil, 1, 20]
    let jitters: [Duration] = [.zero, .zero, .microseconds(15)]
    return .every(
      .microseconds(20), first: firsts.randomElement(using: &random)!,
      count: counts.randomElement(using: &random)!,
      missed: policies.randomElement(using: &random)!,
      jitter: jitters.randomElement(using: &random)!)
  }

  private func act(using random: inout SplitMix64) {
    let slot = slots.randomElement(using: &random)!
    guard let timer = slot.value?.timer else { return }
    let period = Duration.microseconds(Int.random(in: 16...200, using: &random))
    switch Int.random(in: 0..<16, using: &random) {
    case 0, 1: timer.start()
    case 2:
      timer.reschedule(every: period)
      timer.start()
    case 3: timer.suspend()
    case 4: timer.suspend(keepingRemaining: true)
    case 5: timer.resume()
    case 6: timer.reschedule(every: period)
    case 7: timer.reset()
    case 8: timer.reset(nextAt: DispatchClock().now)
    case 9, 10: timer.fireNow()
    case 11: _ = (timer.state, timer.isValid, timer.isSuspended, timer.nextDeadline)
    case 12: _ = timer.remainingCount
    case 13: _ = timer.ticks()
    case 14 where Int.random(in: 0..<20, using: &random) == 0: timer.cancel()
    case 15 where Int.random(in: 0..<20, using: &random) == 0: slot.put(nil)
    default: break
    }
  }
}

@Suite("Timers: a walk through their life", .alone)
struct TimerWalkTests {
  @Test(
    "any calls, from any thread and the handler, and a drop in any state, keep the laws",
    arguments: Soak.seeds(40))
  func walk(seed: UInt64) async {
    await Walk(seed: seed).run()
  }

  @Test(
    "what cancel has withdrawn never runs, and nothing begins after it", arguments: Soak.seeds(40))
  func cancelled(seed: UInt64) async {
    let random = Locked(SplitMix64(seed: seed))
    let timers = (0..<50).map { _ in
      let log = EventRecorder<PacingInstant>()
      let period = random.withLock { Int.random(in: 1...60, using: &$0) }
      let timer = DispatchTimer.scheduled(.every(.microseconds(period), missed: .burst)) { tick in
        log.record(tick.actual)
      }
      return (timer: timer, log: log)
    }
    var counts = [(count: Int, end: PacingInstant)]()
    for (timer, log) in timers {
      let wasPending = timer.cancel()
      let end = DispatchClock().now
      #expect(wasPending, "seed \(seed)")
      await timer.cancelAndWait()
      counts.append((log.values.count, end))
    }
    for ((_, log), (count, end)) in zip(timers, counts) {
      #expect(log.values.count == count, "seed \(seed)")
      #expect(log.values.allSatisfy { $0 <= end }, "seed \(seed)")
    }
  }
}
