public import Pacing

/// A clock that stands still until a test moves it: every tool's virtual time.
///
/// Give it to the tools under test, and to your own sleeps: it is a `Clock`. Nothing waits for real
/// time, and nothing yields and hopes: what is due has happened when `advance` returns.
///
/// ```swift
/// let clock = ManualClock()
/// let search = Debouncer<String>(for: .milliseconds(300), clock: clock) { print($0) }
/// search.send("swift")
/// clock.advance(by: .milliseconds(300))    // prints swift
/// ```
///
/// An `EventRecorder` notes what is delivered, and `play` and `Marbles` make a line of text of a
/// whole run.
///
/// ## Timing
/// `advance` stops at every deadline on its way, the earliest first, and runs there what is due.
/// The handlers of `.shared` run inside `advance`, on the calling thread, and so does everything
/// decided since the last one; `advance(by: .zero)` runs just that. Work for a queue or the main
/// actor has been enqueued when it returns, and an async handler's task has been made; `settle()`
/// waits for their end. Stream values are there to be taken. Asynchronous code that `run` has
/// started runs inside `advance` as well.
///
/// ## Concurrency
/// The clock may be used from any thread, but one at a time should advance it: the order of what
/// two of them bring about is theirs, not the clock's. Handlers may advance it too.
public final class ManualClock: PacingClock {
  /// The timer service that the clock's tools share.
  public let _core: _ClockCore

  let time: ManualTime
  /// The time that one character of a marble timeline stands for.
  public let step: Duration

  /// Makes a clock that shows zero.
  ///
  /// - Parameter step: The time that one character of a marble timeline stands for.
  /// - Precondition: `step` is positive; one that is not a constant of the test is to be compared
  ///   with zero before.
  public init(step: Duration = .milliseconds(100)) {
    ConfigurationError.require(step > .zero, "step", step, must: "be positive")
    self.step = step
    time = ManualTime()
    _core = _ClockCore(TimerService(manual: time))
  }

  /// Moves time on, and lets everything happen that is due on the way.
  public func advance(by duration: Duration) {
    advance(to: now.advanced(by: duration))
  }

  /// Moves time to an instant, and lets everything happen that is due on the way.
  ///
  /// At an instant that has passed, only what is due already happens.
  public func advance(to instant: PacingInstant) {
    runReady()
    while true {
      // Read once: another thread may take the last entry out in the meantime.
      let next = service.earliest
      guard next <= max(instant, now), next != .distantFuture else { break }
      time.move(to: next)
      if service.fireNext(dueAt: now) { runReady() }
    }
    time.move(to: instant)
  }

  /// Lets time pass while no timer runs, as on a machine that is too busy: the timers are late.
  ///
  /// Calls that are made then find out themselves what was due before them. The timers run with the
  /// next `advance`, `advance(by: .zero)` for instance.
  public func lapse(by duration: Duration) {
    lapse(to: now.advanced(by: duration))
  }

  /// Lets time pass up to an instant while no timer runs; one that has passed changes nothing.
  func lapse(to instant: PacingInstant) {
    time.move(to: instant)
  }

  /// Runs the handlers of what has been decided; no time passes, and no timer runs.
  public func runReady() {
    time.runReady()
  }

  /// Waits until the handlers have done all that they can do at this instant.
  ///
  /// Handlers that were handed to a queue or to the main actor have ended then, and so has every
  /// async handler, unless it waits for this clock: in a sleep, a backoff or an `acquire`. It goes
  /// on with a later `advance`. Of one that has several tasks it is enough that one of them waits
  /// so. A handler that waits for something else, such as an answer that the test has yet to give,
  /// is waited for.
  public func settle() async {
    await time.settle()
  }

  /// Waits until at least `count` tasks are suspended in a sleep of this clock or in an `acquire`.
  ///
  /// So a test knows that the tasks it started have arrived, before it moves time for them.
  /// A loop over `ticks()` is not such a wait; start it with `run`. What an `advance` wakes goes on
  /// beside it: one beyond the next deadline may meet the task's next wait as well, or may not.
  public func sleepers(atLeast count: Int) async {
    await time.parked(atLeast: count)
  }
}
