/// A clock on which the library's tools can stand: the system's, or one that a test moves by hand.
///
/// Every tool's initialiser has a parameter `clock`, `.dispatch` unless said otherwise. A clock of
/// this kind is also a `Clock`, so a program's own sleeps can follow it.
///
/// ## Concurrency
/// Sleeping is cancelled with its task, and frees its memory at that moment.
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

  /// How many entries are pending: those of timers, tools and sleeps on this clock.
  ///
  /// A running timer has one, and another while it follows the wall clock.
  public var pendingCount: Int { service.pendingCount }

  /// The earliest pending deadline, nil where there is none.
  public var nextDeadline: PacingInstant? {
    let earliest = service.earliest
    return earliest == .distantFuture ? nil : earliest
  }

  /// The smallest step that the clock tells apart: a nanosecond.
  public var minimumResolution: Duration { .nanoseconds(1) }

  /// Suspends the task until the deadline, or until it is cancelled.
  ///
  /// A sleep of any length costs one entry in the shared timer: no thread, no timer of its own. It
  /// ends at the deadline or up to `tolerance` later, never before.
  ///
  /// - Throws: `CancellationError` where the task is cancelled before the deadline.
  public func sleep(until deadline: PacingInstant, tolerance: Duration? = nil) async throws {
    try await Sleeper(service: service)
      .sleep(until: deadline, tolerance: tolerance.map(Nanoseconds.init(wait:)) ?? 0)
  }

  /// Suspends the task for a duration, or until it is cancelled; none or a negative one is no
  /// sleep.
  ///
  /// It is `sleep(until:tolerance:)` counted from now. The standard library's own form of it has
  /// aborted when a task was cancelled, in some release builds, so there is one of ours.
  ///
  /// - Throws: `CancellationError` where the task is cancelled before the time is over.
  public func sleep(for duration: Duration, tolerance: Duration? = nil) async throws {
    try await sleep(until: now.advanced(by: duration), tolerance: tolerance)
  }
}
