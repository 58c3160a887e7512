internal import Pacing

/// Leaves a store alone after several failures in a row, but for one call in each pause.
struct Breaker: Sendable {
  private let failureCount: Int
  private let pause: Duration
  private var failures = 0
  private var latestFailure = PacingInstant.distantPast
  /// When the next call may try, nil while the breaker is closed.
  private var nextTry: PacingInstant?

  init(_ policy: StorePolicy) {
    failureCount = policy.failureCount
    pause = policy.pause
  }

  var isOpen: Bool { nextTry != nil }

  /// Whether a call may begin; of an open breaker, one in each pause.
  mutating func admits(at now: PacingInstant) -> Bool {
    guard let instant = nextTry else { return true }
    guard now >= instant else { return false }
    nextTry = now.advanced(by: pause)
    return true
  }

  /// Notes a failure.
  ///
  /// It counts only if its call began after the failure counted before it: many calls that meet one
  /// pause of the store are one failure.
  mutating func failed(begun: PacingInstant, at now: PacingInstant) {
    guard begun >= latestFailure else { return }
    latestFailure = now
    failures += 1
    if failures >= failureCount, !isOpen { nextTry = now.advanced(by: pause) }
  }

  /// Notes an answer in time.
  mutating func succeeded() {
    failures = 0
    nextTry = nil
  }
}
