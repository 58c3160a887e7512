import Dispatch
import Pacing
import PacingTesting
import Testing

@testable import TestSupport

/// Other timer systems, row by row: the behaviour or defect of each, and the library's answer.
///
/// Tests that need real time and a blocked main thread are among the stress tests.
@Suite("SeedSystems")
struct SeedSystemsTests {
  let clock = ManualClock()
  let ticks = EventRecorder<Tick>()

  /// An object that a timer serves.
  final class Worker: Sendable {
    let count = Counter()
    let timer = Slot<DispatchTimer>()
    func work() { count.add() }
  }

  private var instants: [Int] { ticks.values.map(\.actual.milliseconds) }

  private func timer(
    every period: Int = 10, first: FirstTick = .afterPeriod, missed: MissedTicks = .skip
  ) -> DispatchTimer {
    DispatchTimer(.every(.milliseconds(period), first: first, missed: missed), clock: clock) {
      [ticks] in ticks.record($0)
    }
  }

  // MARK: GCDTimer

  @Test("GCDTimer: one call makes a timer, one shot or repeating, on a queue, and starts it")
  func gcdSchedule() async {
    let queue = DispatchQueue(label: "work")
    let counts = (once: Counter(), repeated: Counter())
    let timers: [DispatchTimer] = [
      DispatchTimer(.once(after: .seconds(1)), clock: clock).handle(on: .queue(queue)) { _ in
        dispatchPrecondition(condition: .onQueue(queue))
        counts.once.add()
      },
      DispatchTimer(.every(.seconds(1)), clock: clock).handle(on: .queue(queue)) { _ in
        dispatchPrecondition(condition: .onQueue(queue))
        counts.repeated.add()
      },
    ]
    for timer in timers { timer.start() }
    for _ in 0..<3 {
      clock.advance(by: .seconds(1))
      await clock.settle()
    }
    #expect(counts.once.value == 1 && counts.repeated.value == 3)
    #expect(timers.map(\.isValid) == [false, true])
  }

  @Test("GCDTimer: start is idempotent")
  func gcdStart() {
    let timer = timer()
    #expect([timer.start(), timer.start()] == [true, false])
    clock.advance(by: .milliseconds(15))
    timer.suspend()
    clock.advance(by: .milliseconds(5))
    #expect(timer.start() && timer.nextDeadline == .at(30), "a full interval again")
    timer.suspend()
    #expect(timer.reschedule(every: .milliseconds(4)) && timer.start())
    #expect(timer.nextDeadline == .at(24))
    clock.advance(by: .milliseconds(3))
    timer.suspend(keepingRemaining: true)
    clock.advance(by: .milliseconds(7))
    #expect(timer.start() && timer.nextDeadline == .at(31), "what was left of it")
    clock.advance(by: .milliseconds(5))
    #expect(instants == [10, 31, 35])
  }

  @Test("GCDTimer: stop is terminal, suspend idempotent, in any order and from any thread")
  func gcdStop() {
    let timer = timer()
    #expect(!timer.suspend() && timer.isValid)
    timer.start()
    #expect([timer.suspend(), timer.suspend(), timer.isSuspended] == [true, false, true])
    let withdrawn = Counter()
    timer.start()
    DispatchQueue.concurrentPerform(iterations: 8) { index in
      if timer.cancel() { withdrawn.add() }
      if index.isMultiple(of: 2) { timer.suspend() } else { timer.start() }
    }
    #expect(withdrawn.value == 1)
    #expect(!timer.isValid && !timer.isSuspended && !timer.start())
    clock.advance(by: .seconds(1))
    #expect(ticks.values.isEmpty)
  }

  @Test("GCDTimer: a one shot is over before its block is called")
  func gcdOneShot() {
    let wasValid = EventRecorder<Bool>()
    let timer = DispatchTimer(.once(after: .seconds(1)), clock: clock)
    timer.handle(with: timer) { timer, _ in
      wasValid.record(timer.isValid)
    }
    timer.start()
    clock.advance(by: .seconds(1))
    #expect(wasValid.values == [false] && !timer.isValid)
  }

  @Test("GCDTimer: is dropped in any state, without a trap or a further callback")
  func gcdDrop() {
    for state in 0..<4 {
      let timer = timer()
      if state > 0 { timer.start() }
      if state == 2 { timer.suspend() }
      if state == 3 { timer.cancel() }
    }
    #expect(clock.pendingCount == 0)
    clock.advance(by: .seconds(1))
    #expect(ticks.values.isEmpty)
  }

  @Test("GCDTimer: leeway is tolerance, which brings wakes together on Linux too")
  func gcdLeeway() {
    // On virtual time nothing is coalesced: a test sees each deadline where it is.
    let clock = ForeignClock()
    let deadline = PacingInstant(nanoseconds: 1 << 60)
    func timer(after delay: Duration) -> DispatchTimer {
      .scheduled(
        .once(at: deadline.advanced(by: delay)), tolerance: .seconds(1), clock: clock
      ) { _ in }
    }
    let timers = [timer(after: .milliseconds(1)), timer(after: .milliseconds(2))]
    let wake = clock.service.earliest
    timers[0].cancel()
    #expect(clock.service.earliest == wake, "one wake for both")
    #expect(wake >= timers[1].nextDeadline!)
    #expect(wake <= deadline.advanced(by: .milliseconds(1001)))
  }

  @Test("GCDTimer: instead of a weak self, the timer has an owner and ends with it")
  func gcdWeakSelf() {
    var worker: Worker? = Worker()
    let count = worker!.count
    let timer = DispatchTimer(.every(.seconds(1)), clock: clock).handle(with: worker!) {
      worker, _ in worker.work()
    }.started()
    clock.advance(by: .seconds(2))
    worker = nil
    clock.advance(by: .seconds(2))
    #expect(count.value == 2 && !timer.isValid && clock.pendingCount == 0)
  }

  @Test("GCDTimer: its block runs on main by default; ours does by one word")
  @MainActor
  func gcdMain() async {
    var seconds = 0
    let timer = DispatchTimer(.every(.seconds(1)), clock: clock).handle(on: .main) { _ in
      seconds += 1
    }.started()
    clock.advance(by: .seconds(1))
    await clock.settle()
    #expect(seconds == 1 && timer.isValid)
  }

  // MARK: NSTimer

  @Test("NSTimer: fires that were blocked come each of them, or as one that says so")
  func foundationBlocked() {
    let burst = timer(missed: .burst)
    burst.start()
    clock.lapse(by: .milliseconds(35))
    clock.advance(by: .zero)
    #expect(ticks.takeAll().map(\.index) == [0, 1, 2])
    burst.cancel()
    let coalescing = timer(missed: .coalesce)
    coalescing.start()
    clock.lapse(by: .milliseconds(35))
    clock.advance(by: .zero)
    #expect(ticks.values.map(\.index) == [2] && ticks.values.map(\.missed) == [2])
  }

  @Test("NSTimer: does not retain its target, nor does the target's timer survive it")
  func foundationTarget() {
    weak var released: Worker?
    do {
      let worker = Worker()
      released = worker
      worker.timer.put(
        DispatchTimer(.every(.seconds(1)), clock: clock).handle(with: worker) { worker, _ in
          worker.work()
        }.started())
      clock.advance(by: .seconds(1))
      #expect(worker.count.value == 1)
    }
    #expect(released == nil && clock.pendingCount == 0)
  }

  @Test("NSTimer: a fire date is the first tick, by the timer's clock or by the wall's")
  func foundationFireDate() {
    clock.wallTime = .seconds(1_700_000_000)
    let timers = [
      timer(first: .at(.at(25))), timer(first: .after(.milliseconds(40))),
      timer(first: .atWallTime(.seconds(1_700_000_003))),
    ]
    for timer in timers { timer.start() }
    #expect(timers.map(\.nextDeadline) == [.at(25), .at(40), .at(3000)])
  }

  @Test("NSTimer: init makes an idle timer, scheduled a running one")
  func foundationInit() {
    let idle = DispatchTimer(.every(.seconds(1)), clock: clock) { _ in }
    let running = DispatchTimer.scheduled(every: .seconds(1), clock: clock) { _ in }
    #expect([idle.state, running.state] == [.idle, .running])
  }

  @Test("NSTimer: a launch page's countdown, a periodic upload, a page that polls")
  func foundationUses() {
    let countdown = EventRecorder<Int>()
    let launch = DispatchTimer.scheduled(.every(.seconds(1), first: .now, count: 4), clock: clock) {
      countdown.record($0.remaining ?? 0)
    }
    let worker = Worker()
    let upload = DispatchTimer(
      .every(.seconds(60), missed: .coalesce, jitter: .seconds(10)), clock: clock
    ).handle(with: worker) { worker, _ in worker.work() }.started()
    let answers = Counter()
    let poll = DispatchTimer(.every(.seconds(5)), clock: clock)
    poll.handle(with: poll) { timer, _ in
      if answers.add() == 3 { timer.cancel() }
    }
    poll.start()
    clock.advance(by: .seconds(200))
    #expect(countdown.values == [3, 2, 1, 0] && !launch.isValid)
    #expect(worker.count.value == 3 && upload.isValid)
    #expect(answers.value == 3 && !poll.isValid)
  }

  // MARK: CADisplayLink

  @Test(
    "CADisplayLink: drops frames, pauses, tells both timestamps, is idle until started")
  func displayLink() {
    let link = DispatchTimer(
      .every(.milliseconds(20), first: .after(.milliseconds(10))), clock: clock
    ) { [ticks] in ticks.record($0) }
    #expect(!link.isSuspended && clock.pendingCount == 0)
    link.start()
    clock.advance(by: .milliseconds(30))
    clock.lapse(by: .milliseconds(45))
    clock.advance(by: .zero)
    #expect(ticks.values.map(\.index) == [0, 1, 2])
    #expect(ticks.values.map(\.scheduled) == [.at(10), .at(30), .at(50)])
    #expect(ticks.values.map(\.actual) == [.at(10), .at(30), .at(75)])
    link.suspend()
    #expect(link.isSuspended)
    clock.advance(by: .seconds(1))
    #expect(ticks.values.count == 3)
  }

  // MARK: DispatchSourceTimer and UATimer

  @Test("DispatchSourceTimer, UATimer: fires at once, gives its handler the timer, starts twice")
  func dispatchSource() {
    let timer = DispatchTimer(
      .every(.milliseconds(10), first: .now), tolerance: .milliseconds(1), clock: clock)
    timer.handle(with: timer) { [ticks] timer, tick in
      ticks.record(tick)
      if tick.index == 2 { timer.suspend() }
    }
    #expect([timer.start(), timer.start()] == [true, false])
    clock.advance(by: .milliseconds(100))
    #expect(instants == [0, 10, 20] && timer.isSuspended)
  }

  // MARK: asyncAfter

  @Test("DispatchAfter: is one shot, and can be cancelled")
  func asyncAfter() {
    let count = Counter()
    let timers = (0..<2).map { _ in
      DispatchTimer.scheduled(after: .milliseconds(200), clock: clock) { count.add() }
    }
    #expect(timers[0].cancel())
    clock.advance(by: .milliseconds(200))
    #expect(count.value == 1)
    withExtendedLifetime(timers) {}
  }

  // MARK: RNTimer, YYTimer, YBTimer

  @Test("RNTimer: stops when released; fire leaves the schedule; invalidate drops the block")
  func reactNative() throws {
    weak var captured: Worker?
    var timer: DispatchTimer? = nil
    do {
      let worker = Worker()
      captured = worker
      timer = .scheduled(every: .milliseconds(10), clock: clock) { [ticks] tick in
        ticks.record(tick)
        worker.work()
      }
    }
    #expect(timer?.fireNow() == true && timer?.nextDeadline == .at(10))
    clock.advance(by: .milliseconds(10))
    #expect(instants == [0, 10])
    timer?.cancel()
    #expect(captured == nil && timer?.fireNow() == false)
    timer = self.timer()
    timer?.start()
    timer = nil
    #expect(clock.pendingCount == 0)
  }

  @Test("YYTimer: has a first delay of its own; what cancel withdrew never runs")
  func first() {
    let worker = Slot<Worker>(Worker())
    let timer = DispatchTimer(
      .every(.milliseconds(10), first: .after(.milliseconds(3))), clock: clock
    ).handle(with: worker.value!) { [ticks] worker, tick in
      worker.work()
      ticks.record(tick)
    }.started()
    clock.advance(by: .milliseconds(13))
    #expect(instants == [3, 13])
    clock.lapse(by: .milliseconds(10))
    #expect(timer.fireNow(), "decided, and not begun")
    timer.cancel()
    clock.advance(by: .seconds(1))
    #expect(ticks.values.count == 2)
  }

  @Test("YBTimer: carries a typed payload, and works from any thread")
  func payload() async {
    struct Payload: Sendable { let name: String }
    let names = EventRecorder<String>()
    let payload = Payload(name: "page")
    let clock = clock
    let timer = await Task.detached {
      DispatchTimer.scheduled(every: .seconds(1), clock: clock) { tick in
        names.record("\(payload.name) \(tick.index)")
      }
    }.value
    clock.advance(by: .seconds(2))
    #expect(names.values == ["page 0", "page 1"] && timer.isValid)
  }
}
