import Pacing
import PacingTesting
import TestSupport
import Testing

@Suite("DispatchTimer")
struct DispatchTimerTests {
  let clock = ManualClock()
  let ticks = EventRecorder<Tick>()

  private func timer(
    every period: Int = 10, first: FirstTick = .afterPeriod, missed: MissedTicks = .skip
  ) -> DispatchTimer {
    DispatchTimer(.every(.milliseconds(period), first: first, missed: missed), clock: clock) {
      [ticks] in ticks.record($0)
    }
  }

  private var instants: [Int] { ticks.values.map(\.actual.milliseconds) }

  @Test("is idle until it is started, which is done once")
  func start() {
    let timer = timer()
    clock.advance(by: .milliseconds(50))
    #expect(timer.state == .idle && timer.nextDeadline == nil && clock.pendingCount == 0)
    #expect([timer.start(), timer.start(), timer.resume()] == [true, false, false])
    clock.advance(by: .milliseconds(5))
    #expect(!timer.start())
    clock.advance(by: .milliseconds(20))
    #expect(instants == [60, 70])
    #expect(timer.nextDeadline == .at(80))
  }

  @Test(
    "has its first tick when it was told to",
    arguments: [
      (FirstTick.afterPeriod, 110), (.now, 100), (.after(.milliseconds(3)), 103),
      (.after(.milliseconds(-3)), 100), (.at(.at(104)), 104), (.at(.at(40)), 100),
      (.after(.nanoseconds(1)), 100),
    ])
  func firstTick(first: FirstTick, expected: Int) {
    clock.advance(by: .milliseconds(100))
    let timer = timer(first: first)
    timer.start()
    #expect(ticks.values.isEmpty, "never on the caller's stack")
    clock.advance(by: .milliseconds(10))
    #expect(instants.first == expected)
    #expect(ticks.values.first?.index == 0)
  }

  @Test("is suspended and goes on as often as one likes, each time with a full period")
  func suspension() {
    let timer = timer()
    #expect([timer.suspend(), timer.resume()] == [false, false])
    timer.start()
    clock.advance(by: .milliseconds(19))
    #expect([timer.suspend(), timer.suspend()] == [true, false])
    #expect(timer.nextDeadline == nil && clock.pendingCount == 0)
    clock.advance(by: .milliseconds(100))
    #expect([timer.resume(), timer.resume(), timer.start()] == [true, false, false])
    clock.advance(by: .milliseconds(9))
    timer.suspend()
    #expect(timer.start())
    clock.advance(by: .milliseconds(20))
    #expect(instants == [10, 138, 148])
    #expect(ticks.values.map(\.index) == [0, 1, 2])
    #expect(ticks.values.allSatisfy { $0.missed == 0 })
  }

  @Test("keeps what was left of the period where it is told to, however often")
  func keepingRemaining() {
    let timer = timer()
    timer.start()
    clock.advance(by: .milliseconds(17))
    #expect(timer.suspend(keepingRemaining: true) && timer.isSuspended)
    clock.advance(by: .milliseconds(100))
    #expect(timer.start() && timer.nextDeadline == .at(120))
    clock.advance(by: .milliseconds(1))
    timer.suspend(keepingRemaining: true)
    #expect(!timer.suspend(), "it stays as it was suspended")
    clock.advance(by: .milliseconds(2))
    #expect(timer.resume() && timer.nextDeadline == .at(122))
    timer.suspend(keepingRemaining: true)
    #expect(timer.reschedule(every: .milliseconds(4)) && timer.start())
    #expect(timer.nextDeadline == .at(124))
    clock.advance(by: .milliseconds(4))
    #expect(instants == [10, 124])
    #expect(!timer.start() && timer.nextDeadline == .at(128))
  }

  @Test("suspended before its first tick, it waits for that one again", arguments: [false, true])
  func suspendedBeforeTheFirst(keepingRemaining: Bool) {
    let timers = [
      timer(first: .after(.milliseconds(6))),
      DispatchTimer(.once(after: .milliseconds(6)), clock: clock) { [ticks] in ticks.record($0) },
    ]
    for timer in timers { timer.start() }
    clock.advance(by: .milliseconds(4))
    for timer in timers { timer.suspend(keepingRemaining: keepingRemaining) }
    clock.advance(by: .milliseconds(16))
    for timer in timers { timer.resume() }
    #expect(timers.allSatisfy { $0.nextDeadline == .at(keepingRemaining ? 22 : 26) })
    clock.advance(by: .milliseconds(9))
    #expect(ticks.values.count == 2)
    withExtendedLifetime(timers) {}
  }

  @Test("waits a full period again whenever it is reset")
  func watchdog() {
    let timer = timer()
    #expect(!timer.reset())
    timer.start()
    for _ in 0..<5 {
      clock.lapse(by: .milliseconds(9))
      #expect(timer.reset())
    }
    clock.lapse(by: .milliseconds(12))
    #expect(timer.reset(), "it wins over a tick that is overdue")
    clock.advance(by: .milliseconds(10))
    #expect(instants == [67])
  }

  @Test("a one-shot timer that is idle takes another delay, and is over after it")
  func idleOneShot() {
    let timer = DispatchTimer(.once(after: .seconds(1)), clock: clock) { [ticks] in
      ticks.record($0)
    }
    #expect(timer.state == .idle && timer.remainingCount == 1)
    timer.reschedule(every: .milliseconds(3))
    timer.start()
    clock.advance(by: .milliseconds(9))
    #expect(instants == [3])
    #expect(!timer.isValid && timer.remainingCount == 0)
  }

  @Test("cancelAndWait returns when the handler has ended")
  func cancelAndWait() async {
    let timer = timer()
    timer.start()
    clock.advance(by: .milliseconds(10))
    #expect(await timer.cancelAndWait())
    #expect(await !timer.cancelAndWait())
    #expect(ticks.values.count == 1 && !timer.isValid)
  }

  @Test("takes another period or another grid from now on")
  func rescheduling() {
    let timer = timer()
    timer.start()
    clock.advance(by: .milliseconds(15))
    #expect(timer.reschedule(every: .milliseconds(4)))
    clock.advance(by: .milliseconds(8))
    #expect(timer.reset(nextAt: .at(30)))
    clock.advance(by: .milliseconds(11))
    #expect(instants == [10, 19, 23, 30, 34])
    timer.cancel()
    #expect(
      ![timer.reschedule(every: .milliseconds(1)), timer.reset(nextAt: .at(40))].contains(true))
  }

  @Test("ticks beside its grid when asked to, which stays as it is; not after its end")
  func fireNow() {
    let timer = timer()
    #expect(timer.fireNow())
    clock.advance(by: .zero)
    timer.start()
    clock.advance(by: .milliseconds(3))
    #expect([timer.fireNow(), timer.fireNow()] == [true, true])
    #expect(timer.nextDeadline == .at(10))
    clock.advance(by: .milliseconds(7))
    timer.suspend()
    timer.fireNow()
    clock.advance(by: .milliseconds(20))
    #expect(instants == [0, 3, 10, 10])
    #expect(ticks.values.map(\.index) == [0, 1, 2, 3])
    timer.cancel()
    #expect(!timer.fireNow())
    clock.advance(by: .milliseconds(20))
    #expect(ticks.values.count == 4)
  }

  @Test("a tick that is decided and has not begun is the one that is asked for")
  func fireNowWhileDecided() {
    let timer = timer()
    timer.start()
    clock.lapse(by: .milliseconds(10))
    #expect([timer.fireNow(), timer.fireNow()] == [true, true])
    clock.advance(by: .milliseconds(5))
    #expect(ticks.values.map(\.scheduled.milliseconds) == [10])
  }

  @Test("being asked again and again while a handler runs makes one more tick")
  func fireNowWhileRunning() {
    let slot = Slot<DispatchTimer>()
    let timer = DispatchTimer(.every(.seconds(1)), clock: clock) { [ticks] tick in
      ticks.record(tick)
      guard tick.index == 0 else { return }
      for _ in 0..<3 { slot.value?.fireNow() }
    }
    slot.put(timer)
    timer.fireNow()
    clock.advance(by: .zero)
    #expect(ticks.values.map(\.index) == [0, 1])
    slot.put(nil)
  }

  @Test("a one-shot timer is over inside its handler, and lets go of its closure after it")
  func oneShot() {
    let slot = Slot<DispatchTimer>()
    let wasValid = EventRecorder<Bool>()
    weak var captured: Burden?
    do {
      let burden = Burden("captured") {}
      captured = burden
      slot.put(
        .scheduled(after: .milliseconds(5), clock: clock) {
          withExtendedLifetime(burden) { wasValid.record(slot.value?.isValid ?? true) }
        })
    }
    #expect(slot.value?.state == .running)
    #expect(captured != nil)
    clock.advance(by: .milliseconds(50))
    #expect(wasValid.values == [false])
    #expect(captured == nil)
    #expect(slot.value?.cancel() == false)
    #expect(clock.pendingCount == 0)
  }

  @Test("the tick that is asked for of a one-shot timer is its only one")
  func oneShotFired() {
    let count = EventRecorder<Int>()
    let timer = DispatchTimer.scheduled(after: .milliseconds(5), clock: clock) { count.record(1) }
    timer.fireNow()
    clock.advance(by: .milliseconds(20))
    #expect(count.values == [1])
    #expect(!timer.fireNow() && !timer.start() && !timer.isValid)
  }

  @Test("cancel says whether it withdrew a tick, and lets go of the closure", arguments: 0..<6)
  func cancel(state: Int) {
    weak var captured: Burden?
    let timer: DispatchTimer
    do {
      let burden = Burden("captured") {}
      captured = burden
      timer = DispatchTimer(.every(.milliseconds(10)), clock: clock) { [ticks] in
        withExtendedLifetime(burden) {}
        ticks.record($0)
      }
    }
    // Idle, running, suspended, decided but not started, requested off the grid, cancelled.
    let hadOne = [false, true, false, true, true, false][state]
    if state > 0, state != 4 { timer.start() }
    if state == 2 { timer.suspend() }
    if state == 3 {
      clock.lapse(by: .milliseconds(10))
      timer.suspend()
    }
    if state == 4 { timer.fireNow() }
    if state == 5 { timer.cancel() }
    #expect(timer.cancel() == hadOne)
    #expect(captured == nil)
    #expect(timer.state == .finished && clock.pendingCount == 0)
    clock.advance(by: .milliseconds(50))
    #expect(ticks.values.isEmpty)
    #expect(![timer.start(), timer.suspend(), timer.resume(), timer.cancel()].contains(true))
  }

  @Test("drops without a further tick in every state", arguments: 0..<6)
  func drop(state: Int) {
    weak var dropped: DispatchTimer?
    do {
      let timer = timer()
      dropped = timer
      if state > 0 { timer.start() }
      if state == 2 { timer.suspend() }
      if state == 3 { timer.cancel() }
      if state == 4 { clock.lapse(by: .milliseconds(10)) }
      if state == 5 { timer.fireNow() }
    }
    #expect(dropped == nil && clock.pendingCount == 0)
    clock.advance(by: .milliseconds(50))
    #expect(ticks.values.isEmpty)
  }

  @Test("a reset withdraws a tick that was asked for and is not decided", arguments: [true, false])
  func resetWithdrawsAsked(isNextAt: Bool) {
    let slot = Slot<DispatchTimer>()
    slot.put(
      DispatchTimer.scheduled(.every(.seconds(1)), clock: clock) { [ticks, clock] tick in
        ticks.record(tick)
        guard tick.index == 0 else { return }
        slot.value?.fireNow()
        if isNextAt {
          slot.value?.reset(nextAt: clock.now.advanced(by: .seconds(2)))
        } else {
          slot.value?.reset()
        }
      })
    clock.advance(by: .milliseconds(1500))
    #expect(ticks.values.map(\.index) == [0])
    slot.put(nil)
  }

  @Test(
    "a late tick is the only one of its instant, whatever the jitter",
    arguments: [.skip, .coalesce, .delay, .burst(limit: 1)] as [MissedTicks],
    1...40 as ClosedRange<UInt64>)
  func jitterAfterLateTick(missed: MissedTicks, seed: UInt64) throws {
    let timer = DispatchTimer(
      .every(.milliseconds(100), missed: missed, jitter: .milliseconds(99), seed: seed),
      clock: clock
    ) { [ticks] tick in ticks.record(tick) }
    timer.start()
    let deadline = try #require(timer.nextDeadline)
    clock.lapse(by: clock.now.duration(to: deadline) + .milliseconds(80))
    clock.advance(by: .zero)
    #expect(ticks.values.count == 1)
    #expect(try #require(timer.nextDeadline) > clock.now)
  }

  @Test(
    "hands out every tick of a burst, also the one that jitter makes due", arguments: Soak.seeds(40)
  )
  func jitterOfBurst(seed: UInt64) throws {
    let timer = DispatchTimer(
      .every(.milliseconds(100), missed: .burst, jitter: .milliseconds(99), seed: seed),
      clock: clock
    ) { [ticks] tick in ticks.record(tick) }
    timer.start()
    for late in [10, 80, 250] {
      let deadline = try #require(timer.nextDeadline)
      clock.lapse(by: clock.now.duration(to: deadline) + .milliseconds(late))
      clock.advance(by: .zero)
    }
    #expect(ticks.values.map(\.index) == Array(0..<ticks.values.count))
    #expect(ticks.values.allSatisfy { $0.missed == 0 })
  }

  @Test("is cancelled, suspended and dropped from inside its handler", arguments: 0..<3)
  func insideTheHandler(action: Int) {
    let slot = Slot<DispatchTimer>()
    weak var dropped: DispatchTimer?
    slot.put(
      .scheduled(every: .milliseconds(10), clock: clock) { [ticks, clock] tick in
        ticks.record(tick)
        clock.lapse(by: .milliseconds(30))
        if action == 0 { slot.value?.cancel() }
        if action == 1 { slot.value?.suspend() }
        slot.put(nil)
      })
    dropped = slot.value
    clock.advance(by: .milliseconds(100))
    #expect(ticks.values.count == 1)
    #expect(dropped == nil && clock.pendingCount == 0)
  }
}
