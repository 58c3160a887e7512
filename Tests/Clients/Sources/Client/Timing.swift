import Dispatch
import Pacing
import PacingTesting
import Synchronization

/// A class of the main actor that a timer refreshes.
@MainActor
final class Dashboard {
  private var refreshed = 0
  private var timer: DispatchTimer?

  func start(_ clock: any Clock<Duration>) {
    let timer = DispatchTimer(.every(.seconds(5), first: .now), clock: clock).handle(on: .main) {
      [weak self] tick in self?.refreshed += 1 + tick.missed
    }
    timer.start()
    self.timer = timer
  }

  /// Timers with handlers of each kind.
  static func tryOutHandlers() async {
    let clock = ManualClock()
    let (dashboard, heart) = (Dashboard(), Heart())
    func made(_ schedule: TickSchedule = .once(after: .seconds(1))) -> DispatchTimer {
      DispatchTimer(schedule, clock: clock)
    }
    let timers = [
      made(.every(.seconds(1), count: 2)).handle(with: dashboard, on: .main) { dashboard, tick in
        dashboard.refreshed += 1 + (tick.remaining ?? 0)
      },
      made().handle(on: .main) { [weak dashboard] _ in dashboard?.refreshed += 10 },
      made().handle(on: .main) { [weak dashboard] tick in
        await dashboard?.refresh(100 + tick.index)
      },
      made(.every(.seconds(1), count: 2)).handle { _ in await heart.beat(1) },
      made().handle(in: heart) { heart, _ in heart.beat(10) },
      made().handle(in: heart, overlap: .dropNew) { heart, _ in
        await Task.yield()
        heart.beat(100)
      },
    ]
    let started = [
      DispatchTimer.scheduled(after: .seconds(1), clock: clock) {},
      DispatchTimer.scheduled(.every(.seconds(1), count: 2), clock: clock) { _ in },
    ]
    for timer in timers { timer.start() }
    for _ in 0..<2 {
      clock.advance(by: .seconds(1))
      await clock.settle()
    }
    let beats = await heart.beats
    verify(dashboard.refreshed == 113 && beats == 112, "each form has run")
    verify((timers + started).allSatisfy { !$0.isValid }, "and is over")
  }

  private func refresh(_ count: Int) async { refreshed += count }

  static func tryOut() async {
    await tryOutHandlers()
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

func timeForOwners() async {
  let clock = ManualClock()
  var poller: HealthCheck? = HealthCheck()
  guard let first = poller else { return }
  let timer = DispatchTimer(
    .every(.seconds(1), first: .now, jitter: .milliseconds(200), seed: 1),
    tolerance: .milliseconds(10), clock: clock)
  timer.handle(with: first) { poller, tick in poller.poll(tick) }
  timer.reschedule(every: .seconds(2))
  timer.start()
  clock.advance(by: .seconds(5))
  verify(first.count == 3, "polled three times")
  timer.suspend(keepingRemaining: true)
  verify(timer.isSuspended, "it is suspended")
  poller = nil

  let rest = DispatchTimer(.every(.seconds(1)), clock: clock)
  rest.handle(with: rest) { timer, tick in
    if tick.index == 4 { timer.suspend() }
  }
  rest.start()
  clock.advance(by: .seconds(9))
  verify(rest.isSuspended, "suspended by its handler")
  let hadTick = await rest.cancelAndWait()
  verify(!hadTick && rest.remainingCount == nil, "a suspended timer has none to withdraw")

  let schedule = TickSchedule.every(
    .seconds(60), first: .aligned(offset: .seconds(1)), missed: .burst(limit: 2))
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
  let alarm = DispatchTimer(.once(after: .milliseconds(1))).handle(on: .queue(queue)) { _ in
    dispatchPrecondition(condition: .onQueue(queue))
    semaphore.signal()
  }
  alarm.start()
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
