import Dispatch
import Pacing
import PacingTesting
import Synchronization

/// A class of the main actor that a timer refreshes.
@MainActor
final class Dashboard {
  private var refreshed = 0
  private var timer: DispatchTimer?

  func start(_ clock: any PacingClock) {
    let timer = DispatchTimer(.every(.seconds(5), first: .now), on: .main, clock: clock) {
      [weak self] tick in self?.refreshed += 1 + tick.missed
    }
    timer.start()
    self.timer = timer
  }

  /// Each form of a timer, on the main actor.
  func countDown(_ clock: any PacingClock) -> [DispatchTimer] {
    [
      .scheduled(.every(.seconds(1), count: 2), owner: self, on: .main, clock: clock) {
        dashboard, tick in dashboard.refreshed += 1 + (tick.remaining ?? 0)
      },
      .scheduled(.every(.seconds(1), count: 1), on: .main, clock: clock) { [weak self] _ in
        self?.refreshed += 10
      },
      .scheduled(.once(after: .seconds(1)), on: .main, clock: clock) { [weak self] tick in
        self?.refreshed += 100 + tick.index
      },
      .scheduled(after: .seconds(1), on: .main, clock: clock) { [weak self] in
        self?.refreshed += 1000
      },
    ]
  }

  static func tryOutCountDown() async {
    let clock = ManualClock()
    let dashboard = Dashboard()
    let timers = dashboard.countDown(clock)
    for _ in 0..<2 {
      clock.advance(by: .seconds(1))
      await clock.settle()
    }
    verify(dashboard.refreshed == 1113, "each form has run")
    verify(timers.allSatisfy { !$0.isValid }, "and is over")
  }

  /// The forms with async handlers.
  static func tryOutAsync() async {
    let clock = ManualClock()
    let (dashboard, meter) = (Dashboard(), Heart())
    let timers: [DispatchTimer] = [
      .scheduled(.every(.seconds(1), count: 2), on: .main, clock: clock) { [weak dashboard] tick in
        await dashboard?.refresh(1 + tick.missed)
      },
      .scheduled(.once(after: .seconds(1)), on: .main, clock: clock) { [weak dashboard] _ in
        await dashboard?.refresh(10)
      },
      .scheduled(.every(.seconds(1), count: 2), clock: clock) { _ in await meter.beat(1) },
      .scheduled(.once(after: .seconds(1)), clock: clock) { _ in await meter.beat(10) },
      .scheduled(.every(.seconds(1), count: 2), on: meter, clock: clock) { meter, _ in
        meter.beat(100)
      },
      .scheduled(.once(after: .seconds(1)), on: meter, clock: clock) { meter, _ in
        meter.beat(1000)
      },
    ]
    for _ in 0..<2 {
      clock.advance(by: .seconds(1))
      await clock.settle()
    }
    let beats = await meter.beats
    verify(dashboard.refreshed == 12 && beats == 1212, "each form has run")
    verify(timers.allSatisfy { !$0.isValid }, "and is over")
  }

  private func refresh(_ count: Int) async { refreshed += count }

  static func tryOut() async {
    await tryOutCountDown()
    await tryOutAsync()
    let clock = ManualClock()
    let dashboard = Dashboard()
    dashboard.start(clock)
    for _ in 0..<3 {
      clock.advance(by: .seconds(5))
      await clock.settle()
    }
    verify(dashboard.refreshed == 4, "refreshed at 0, 5, 10 and 15")
  }
}

/// An actor that timers call.
actor Heart {
  private(set) var beats = 0

  func beat(_ count: Int) { beats += count }
}

/// A class of any thread that a timer works for.
nonisolated final class HealthCheck: Sendable {
  private let polls = Mutex(0)

  func poll(_ tick: Tick) { polls.withLock { $0 += 1 } }

  var count: Int { polls.withLock { $0 } }
}

func timeForOwners() async throws {
  let clock = ManualClock()
  var poller: HealthCheck? = HealthCheck()
  guard let first = poller else { return }
  let timer = DispatchTimer(
    .every(.seconds(1), first: .now, jitter: .milliseconds(200), seed: 1),
    tolerance: .milliseconds(10), clock: clock)
  timer.deliver(to: first, on: .shared) { poller, tick in poller.poll(tick) }
  timer.start(every: .seconds(2))
  clock.advance(by: .seconds(5))
  verify(first.count == 3, "polled three times")
  timer.suspend(keepingRemaining: true)
  verify(timer.isSuspended && timer.statistics.ticks == 3, "it is suspended")
  verify(timer.statistics.maximumLateness <= .milliseconds(200), "late by its jitter")
  poller = nil

  let rest = DispatchTimer(.every(.seconds(1), delivering: .everyNth(2)), clock: clock) {
    timer, tick in
    if tick.index == 4 { timer.suspend() }
  }
  rest.start()
  clock.advance(by: .seconds(9))
  verify(rest.isSuspended && rest.statistics.missed == 2, "every other tick")
  let hadTick = await rest.cancelAndWait()
  verify(!hadTick && rest.remainingCount == nil, "a suspended timer has none to withdraw")

  let schedule = try TickSchedule(
    validating: .seconds(60), first: .aligned(offset: .seconds(1)),
    missed: MissedTicks(validatingBurst: 2), delivering: TickDivider(validatingNth: 1))
  clock.wallTime = .seconds(1_700_000_000)
  let minutes = DispatchTimer.scheduled(schedule, clock: clock) { _ in }
  verify(minutes.nextDeadline == clock.now.advanced(by: .seconds(41)), "a second past the minute")
  verify(minutes.reset(), "it runs")
}

func timeOnQueues() {
  let clock = ManualClock()
  let indices = Mutex([Int]())
  let timer = DispatchTimer.scheduled(
    .every(.seconds(1), missed: .burst(limit: 3)), tolerance: .zero, clock: clock
  ) { tick in
    verify(tick.actual >= tick.scheduled, "no tick is early")
    indices.withLock { $0.append(tick.index) }
  }
  clock.advance(by: .seconds(2))
  timer.suspend()
  verify(timer.state == .suspended, "it is suspended")
  timer.resume()
  timer.reschedule(every: .seconds(2))
  verify(timer.nextDeadline == clock.now.advanced(by: .seconds(2)), "the new period")
  timer.fireNow()
  clock.advance(by: .zero)
  timer.reset(nextAt: clock.now.advanced(by: .seconds(7)))
  verify(timer.isValid && timer.cancel(), "there was a tick to withdraw")
  verify(indices.withLock { $0 } == [0, 1, 2], "the ticks")

  let fired = Atomic(false)
  let queue = DispatchQueue(label: "client")
  let semaphore = DispatchSemaphore(value: 0)
  let alarm = DispatchTimer.scheduled(after: .milliseconds(1), on: .queue(queue)) {
    dispatchPrecondition(condition: .onQueue(queue))
    semaphore.signal()
  }
  semaphore.wait()
  fired.store(!alarm.isValid, ordering: .relaxed)
  verify(fired.load(ordering: .relaxed), "a timer of one tick is over")
}

func timeAsStream() async {
  var next = 0
  for await tick in DispatchTimer.ticks(.every(.milliseconds(1), missed: .coalesce)) {
    verify(tick.index == next + tick.missed, "indices are complete")
    next = tick.index + 1
    if next > 3 { break }
  }

  let clock = ManualClock()
  let timer = DispatchTimer(.every(.seconds(1), missed: .delay), clock: clock)
  var ticks = timer.ticks().makeAsyncIterator()
  timer.start()
  clock.advance(by: .seconds(1))
  let tick = await ticks.next()
  verify(tick?.index == 0 && tick?.lateness == .zero, "the first tick")
  timer.cancel()
  let end = await ticks.next()
  verify(end == nil, "the stream ends with its timer")
}
