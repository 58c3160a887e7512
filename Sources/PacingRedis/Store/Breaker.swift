internal import Pacing

/// A circuit breaker: opens after consecutive failures, then admits one call per pause.
struct Breaker: Sendable {
  private let failureCount: Int
  private let pause: Duration
  private var failures = 0
  private var latestFailure = PacingInstant.distantPast
  /// When the next call is admitted; nil while the breaker is closed.
  private var nextTry: PacingInstant?

  init(_ policy: StorePolicy) {
    failureCount = policy.failureCount
    pause = policy.pause
  }

  var isOpen: Bool { nextTry != nil }

  /// Whether a call may start; an open breaker admits one per pause.
  mutating func admits(at now: PacingInstant) -> Bool {
    guard let instant = nextTry else { return true }
    guard now >= instant else { return false }
    nextTry = now.advanced(by: pause)
    return true
  }

  /// Records a failure.
  ///
  /// It counts only if its call started after the last counted failure: many calls that meet the
  /// same outage are one failure.
  mutating func failed(begun: PacingInstant, at now: PacingInstant) {
    guard begun >= latestFailure else { return }
    latestFailure = now
    failures += 1
    if failures >= failureCount, !isOpen { nextTry = now.advanced(by: pause) }
  }

  /// Records a timely answer, and closes the breaker.
  mutating func succeeded() {
    failures = 0
    nextTry = nil
  }
}
