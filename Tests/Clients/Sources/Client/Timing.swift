import Dispatch
import Pacing
import PacingTesting
import Synchronization

/// A class of the main actor that a timer refreshes.
@MainActor
final class Dashboard {
  private var refreshed = 0
  private var timer: DispatchTimer?

  func start(_ clock: some PacingClock) {
    let timer = DispatchTimer(every: .seconds(5), first: .now, on: .main, clock: clock) {
      [weak self] tick in self?.refreshed += 1 + tick.missed
    }
    timer.start()
    self.timer = timer
  }

  static func tryOut() async {
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

func timeOnQueues() {
  let clock = ManualClock()
  let indices = Mutex([Int]())
  let timer = DispatchTimer.scheduled(
    every: .seconds(1), missed: .burst(limit: 3), tolerance: .zero, clock: clock
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
  for await tick in DispatchTimer.ticks(every: .milliseconds(1), missed: .coalesce) {
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
