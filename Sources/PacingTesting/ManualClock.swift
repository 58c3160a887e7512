public import Pacing

/// A clock whose time stands still until a test advances it: virtual time for every tool.
///
/// Pass it to the tools under test and to your own sleeps: it is a `Clock`. `advance` returns after
/// everything due has run; nothing waits for real time, yields or polls.
///
/// ```swift
/// let clock = ManualClock()
/// let search = Debouncer<String>(for: .milliseconds(300), clock: clock) { print($0) }
/// search.send("swift")
/// clock.advance(by: .milliseconds(300))    // prints swift
/// ```
///
/// An ``EventRecorder`` records deliveries; `play` performs a line of text, of ``Marbles``.
///
/// ## Timing
/// `advance` stops at every deadline on its way, the earliest first, and runs what is due there.
/// The handlers of `.shared` run inside `advance`, on the calling thread, including those decided
/// earlier; `advance(by: .zero)` runs only what is due or decided already. When `advance` returns,
/// work for a queue or the main actor is enqueued, the tasks of async handlers are created, and
/// stream values are ready to be received; `settle()` waits for those handlers to end. Asynchronous
/// code started by `run` also runs inside `advance`. `flushAndWait()` and `cancelAndWait()` of a
/// tool need no `advance`: they run what has been decided, as `runReady()` does.
///
/// ## Concurrency
/// Thread-safe, but only one thread at a time should advance the clock: the order of effects is
/// undefined if two do. Handlers may advance it too. A call on another thread takes place before or
/// after an advance, or at one of the instants on the way.
public final class ManualClock: PacingClock {
  package let timers: TimerService

  let time: ManualTime
  /// The time that one character of a marble timeline represents.
  public let step: Duration

  /// Creates a clock at zero.
  ///
  /// - Parameter step: The time that one character of a marble timeline represents.
  /// - Precondition: `step` is positive; check one known only at run time beforehand.
  public init(step: Duration = .milliseconds(100)) {
    ConfigurationError.require(step > .zero, "step", step, must: "be positive")
    self.step = step
    time = ManualTime()
    timers = TimerService(manual: time)
  }

  /// Creates a clock whose tools are as lazy as on the system's clock, to test them so: what moves
  /// later or is removed stays visible in `pendingCount` and `nextDeadline`.
  ///
  /// - Parameters:
  ///   - isLazy: Whether they are.
  ///   - runsHandlers: Whether the tasks of async handlers run inside `advance`.
  package init(isLazy: Bool, runsHandlers: Bool = false) {
    step = .milliseconds(100)
    time = ManualTime(runsHandlers: runsHandlers)
    timers = TimerService(manual: time, isLazy: isLazy)
  }

  /// The number of pending entries of timers, tools and sleeps on this clock.
  ///
  /// A running timer has one, and a second one if it follows the wall clock.
  public var pendingCount: Int { timers.pendingCount }

  /// The earliest pending deadline; nil if there is none.
  public var nextDeadline: PacingInstant? { timers.earliest.finite }

  /// Suspends the task until time has advanced by a duration, or until it is cancelled; returns at
  /// once if the duration is not positive.
  public func sleep(for duration: Duration, tolerance: Duration? = nil) async throws {
    try await sleep(until: now.advanced(by: duration), tolerance: tolerance)
  }

  /// Advances time by a duration, and runs everything due on the way.
  public func advance(by duration: Duration) {
    advance(to: now.advanced(by: duration))
  }

  /// Advances time to an instant, and runs everything due on the way.
  ///
  /// For an instant in the past it runs only what is already due.
  public func advance(to instant: PacingInstant) {
    time.running {
      runReady()
      repeat {
        // Read once: another thread may remove the last entry in the meantime.
        while case let next = service.earliest, next <= max(instant, now), next != .distantFuture {
          time.serve(to: next)
          if service.fireNext(dueAt: now) { runReady() }
        }
        time.serve(to: max(instant, now))
        // Another thread may have added an entry before time came here.
      } while service.earliest <= now
    }
  }

  /// Advances time without running timers, as on an overloaded machine: the timers are late.
  ///
  /// Calls made then handle what was due before them. The timers run with the next `advance`, for
  /// example `advance(by: .zero)`.
  public func lapse(by duration: Duration) {
    lapse(to: now.advanced(by: duration))
  }

  /// Advances time to an instant without running timers; an instant in the past is a no-op.
  func lapse(to instant: PacingInstant) {
    time.move(to: instant)
  }

  /// Runs the handlers of decided deliveries; no time passes, and no timer runs.
  public func runReady() {
    time.runReady()
  }

  /// Waits until every handler has done what it can at this instant.
  ///
  /// Handlers on a queue or on the main actor have ended when `settle` returns. An async handler
  /// has ended too, or waits for this clock, in a sleep, a backoff or an `acquire`, and continues
  /// with a later `advance`; if it has several tasks, one such wait is enough. `settle` also waits
  /// for a handler that awaits something else, such as an answer that the test has yet to give.
  public func settle() async {
    await time.settle()
  }

  /// Waits until at least `count` tasks are suspended in a sleep of this clock or in an `acquire`.
  ///
  /// Use it to know that started tasks have reached their waits before time advances. A loop over
  /// `ticks()` is not such a wait; start it with `run`. Tasks that an `advance` wakes run
  /// concurrently with it, so an `advance` beyond the next deadline may or may not reach their next
  /// wait as well.
  public func sleepers(atLeast count: Int) async {
    await time.parked(atLeast: count)
  }
}
