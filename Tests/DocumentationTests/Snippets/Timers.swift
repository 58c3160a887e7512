import Dispatch
import Pacing
import PacingTesting
import Testing

final class Feed: Sendable {
  func refresh() {}
}

// snippet: timers-owner
@MainActor
final class Page {
  private var seconds = 0
  private let timer = DispatchTimer(.every(.seconds(1)))

  init() {
    timer.handle(with: self, on: .main) { page, tick in page.seconds += 1 + tick.missed }
  }

  func appear() { timer.start() }
  func disappear() { timer.suspend() }  // no tick comes until it appears again
}
// end

@Suite("Timers.md")
struct Timers {
  private let queue = DispatchQueue(label: "timers")

  @Test("made and started")
  func making() {
    func work() {}
    // snippet: timers-made
    let running = DispatchTimer.scheduled(every: .seconds(1)) { tick in print(tick.index) }
    let idle = DispatchTimer(.every(.seconds(1))) { tick in print(tick.index) }
    idle.start()
    let later = DispatchTimer.scheduled(after: .milliseconds(200)) { print("once") }
    // end
    #expect([running, idle].allSatisfy { $0.state == .running } && later.state != .idle)
  }

  @Test("GCDTimer")
  func gcd() {
    let work = { @Sendable in }
    // snippet: timers-gcdtimer
    let timer = DispatchTimer(.every(.seconds(1))).handle(on: .queue(queue)) { _ in work() }
    timer.start()  // true: the first tick comes in a second; no run loop, busy main or not
    timer.start()  // false: it runs already
    timer.suspend()  // as often as you like
    timer.reschedule(every: .seconds(2))
    timer.start()  // a full interval, here another one
    timer.suspend(keepingRemaining: true)
    timer.start()  // continues with the rest of the period
    timer.cancel()  // for good: isValid is false, and the closure is released
    // end
    #expect(!timer.isValid)
  }

  @Test("owners")
  @MainActor
  func owners() {
    let page = Page()
    page.appear()
    page.disappear()
  }

  @Test("Timer")
  func foundation() {
    let work = { @Sendable in }
    let date = Duration.seconds(4_000_000_000)  // Date.timeIntervalSince1970
    // snippet: timers-firedate
    let daily = DispatchTimer.scheduled(.every(.seconds(86_400), first: .atWallTime(date))) { _ in
      work()
    }
    let soon = DispatchTimer.scheduled(.every(.seconds(60), first: .after(.seconds(2)))) { _ in
      work()
    }
    print(soon.nextDeadline ?? .distantFuture)  // fireDate
    // end
    #expect(daily.isValid && soon.isValid)
  }

  @Test("a countdown, an upload")
  @MainActor
  func uses() {
    var label = ""
    let upload = { @Sendable in }
    func enter() {}
    // snippet: timers-countdown
    let countdown = DispatchTimer(.every(.seconds(1), first: .now, count: 6))
    countdown.handle(on: .main) { tick in
      label = "\(tick.remaining ?? 0) s"
      if tick.remaining == 0 { enter() }
    }
    countdown.start()
    // end
    // snippet: timers-upload
    let log = DispatchTimer.scheduled(
      .every(.seconds(300), missed: .coalesce, jitter: .seconds(30)), tolerance: .seconds(5)
    ) { _ in upload() }
    // end
    #expect(label.isEmpty && countdown.state != .idle && log.isValid)
  }

  @Test("CADisplayLink")
  func displayLink() {
    let draw = { @Sendable (_: Tick) in }
    // snippet: timers-displaylink
    let frames = DispatchTimer(.every(.microseconds(16_667))) { tick in
      if tick.index.isMultiple(of: 2) { draw(tick) }  // frameInterval = 2
    }
    frames.start()  // idle until then
    frames.suspend()  // isPaused = true
    print(frames.isSuspended)
    frames.resume()
    // end
    #expect(frames.state == .running)
  }

  @Test("DispatchSourceTimer and UATimer")
  func dispatchSource() {
    let work = { @Sendable () -> Bool in true }
    // snippet: timers-source
    let timer = DispatchTimer(.every(.seconds(1), first: .now), tolerance: .milliseconds(10))
    timer.handle(with: timer, on: .queue(queue)) { timer, _ in
      if !work() { timer.suspend() }
    }
    timer.start()  // resume(); once more is harmless, and so is dropping it in any state
    // end
    #expect(timer.state == .running)
  }

  @Test("RNTimer, YYTimer, YBTimer")
  func others() {
    struct Row: Sendable { let id: Int }
    let owner = Feed()
    // snippet: timers-rntimer
    var timer: DispatchTimer? = .scheduled(every: .seconds(5)) { tick in print(tick.index) }
    timer?.fireNow()  // RNTimer: the next deadline stays
    timer = nil  // released: no further tick
    let delayed = DispatchTimer(.every(.seconds(1), first: .after(.seconds(3))))
    delayed.handle(with: owner) { owner, _ in owner.refresh() }  // YYTimer: ends with its owner
    delayed.start()
    let row = Row(id: 7)  // YBTimer: what userInfo was for, with its type
    let payload = DispatchTimer.scheduled(every: .seconds(1)) { tick in print(row.id, tick.index) }
    // end
    #expect(delayed.isValid && payload.isValid)
  }

  @Test("wall clock, sleep, watchdog")
  func time() {
    let work = { @Sendable in }
    // snippet: timers-aligned
    let minutes = DispatchTimer.scheduled(.every(.seconds(60), first: .aligned)) { _ in work() }
    let slow = DispatchTimer.scheduled(every: .seconds(600), clock: .countingSleep) { _ in work() }
    let watchdog = DispatchTimer.scheduled(after: .seconds(30)) { print("no sign of life") }
    watchdog.reset()  // at each sign of life: another 30 seconds
    // end
    #expect([minutes, slow].allSatisfy { $0.isValid } && watchdog.state != .idle)
  }

  @Test("ticks in async code")
  func ticks() async {
    let poll = { @Sendable () async in }
    // snippet: timers-stream
    for await tick in DispatchTimer.ticks(.every(.milliseconds(1), count: 5)) {
      await poll()  // slow or not: the newest tick waits, and counts those that it replaced
      print(tick.index, tick.missed)
    }
    // end
  }

  @Test("what a timer says")
  func queries() async {
    // snippet: timers-queries
    let timer = DispatchTimer.scheduled(.every(.seconds(1), count: 10)) { tick in
      print(tick.index, tick.scheduled, tick.actual, tick.lateness, tick.missed)
    }
    print(timer.state)  // idle, running, suspended or finished
    print(timer.nextDeadline ?? .distantFuture, timer.remainingCount ?? .max)
    print(DispatchClock().pendingCount)
    await timer.cancelAndWait()  // a handler that was running has ended
    // end
    #expect(timer.state == .finished)
  }

  @Test("other clocks")
  func clocks() async throws {
    // snippet: timers-clocks
    let clock = ContinuousClock()
    let timer = DispatchTimer.scheduled(every: .seconds(1), clock: clock) { tick in print(tick) }
    try await DispatchClock().sleep(for: .milliseconds(1))  // freed when cancelled
    if let due = timer.nextDeadline { print(clock.instant(of: due)) }  // an instant of its own
    // end
    timer.cancel()
  }
}
