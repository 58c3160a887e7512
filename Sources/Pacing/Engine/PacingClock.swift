/// A clock for the library's tools: the system's, or one that a test moves by hand.
///
/// Every tool's initialiser has a parameter `clock` whose default is `.dispatch`. A ``PacingClock``
/// is also a `Clock`, so a program's own sleeps can follow it.
///
/// ## Concurrency
/// Thread-safe. Cancelling a task ends its sleep and frees the sleep's memory at that moment.
public protocol PacingClock: Clock where Duration == Swift.Duration, Instant == PacingInstant {
  /// The implementation; a clock made of another returns that clock's.
  var _core: _ClockCore { get }
}

/// What a clock is made of: the timer service that its tools share.
public struct _ClockCore: Sendable {
  package let service: TimerService

  package init(_ service: TimerService) {
    self.service = service
  }
}

extension PacingClock {
  /// The timer service that the clock's tools share.
  package var service: TimerService { _core.service }

  /// The current instant.
  public var now: PacingInstant { service.now }

  /// The number of pending entries of timers, tools and sleeps on this clock.
  ///
  /// A running timer has one, and a second one if it follows the wall clock. On the system's clock
  /// and on adapted ones, a tool that is suspended, or whose values are cancelled, keeps its entry
  /// until the old deadline.
  public var pendingCount: Int { service.pendingCount }

  /// The earliest pending deadline, nil if there is none.
  public var nextDeadline: PacingInstant? { service.earliest.finite }

  /// The resolution of the clock: a nanosecond.
  public var minimumResolution: Duration { .nanoseconds(1) }

  /// Suspends the task until the deadline, or until it is cancelled.
  ///
  /// A sleep of any length costs one entry in the shared timer: no thread, no timer of its own. It
  /// ends at the deadline or up to `tolerance` later, never before.
  ///
  /// - Parameters:
  ///   - deadline: The instant at which the sleep ends.
  ///   - tolerance: How much later it may end, so that timers can share a wake; nil for not at all.
  /// - Throws: `CancellationError` if the task is cancelled before the deadline.
  public func sleep(until deadline: PacingInstant, tolerance: Duration? = nil) async throws {
    try await service.sleep(
      until: deadline, tolerance: tolerance.map(Nanoseconds.init(wait:)) ?? 0)
  }

  /// Suspends the task for a duration, or until it is cancelled; returns at once if the duration is
  /// not positive.
  ///
  /// It is `sleep(until:tolerance:)` counted from now. It stands in for the standard library's
  /// method, whose cancellation aborts the process in some release builds of Swift 6.3.
  ///
  /// - Parameters:
  ///   - duration: The time from the call to the end of the sleep.
  ///   - tolerance: How much later it may end, so that timers can share a wake; nil for not at all.
  /// - Throws: `CancellationError` if the task is cancelled before the time is over.
  public func sleep(for duration: Duration, tolerance: Duration? = nil) async throws {
    try await sleep(until: now.advanced(by: duration), tolerance: tolerance)
  }
}
