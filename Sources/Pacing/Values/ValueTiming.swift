/// When a tool that takes values delivers: a pure value that knows the instants and not the values.
///
/// At most one value is pending. `PendingValue` keeps it, and hands it out when the timing says so.
package protocol ValueTiming: Sendable {
  /// How long a value waits, or how long its window is, unless it brings its own.
  var wait: Nanoseconds { get set }

  /// Whether a value is pending.
  var isPending: Bool { get set }

  /// When the pending value is due, `distantFuture` where there is none.
  var deadline: PacingInstant { get set }

  /// Whether no further value is taken.
  var isFinishing: Bool { get set }

  /// When the state is as it was in the beginning, if nothing is sent until then.
  ///
  /// Asked where nothing is pending; an instant that has passed where it is so already.
  var idleAt: PacingInstant { get }

  /// Takes over the settings of another timing: those that count for the values sent from now on.
  mutating func adopt(settingsOf other: Self)

  /// Notes a value that waits, or opens a window, of `wait`.
  ///
  /// - Returns: Whether the value becomes the pending one, meets a pending one, or is dropped.
  mutating func send(waiting wait: Nanoseconds, at now: PacingInstant) -> SendResult

  /// What `finish` does unless it is told otherwise.
  static var usualFinish: Finish { get }

  /// The pending value leaves: its deadline has come.
  mutating func due(at now: PacingInstant)

  /// Makes the pending value due now; called where there is one.
  mutating func flush(at now: PacingInstant)

  /// The pending value, if there is one, is dropped.
  mutating func cancel()

  /// No further value is taken; the pending one stays pending, or is dropped.
  mutating func finish(_ finish: Finish, at now: PacingInstant)
}

extension ValueTiming {
  package static var usualFinish: Finish { .deliver }

  package mutating func adopt(settingsOf other: Self) {
    wait = other.wait
  }

  package mutating func flush(at now: PacingInstant) {
    deadline = min(deadline, now)
  }

  package mutating func cancel() {
    isPending = false
    deadline = .distantFuture
  }

  package mutating func finish(_ finish: Finish, at now: PacingInstant) {
    isFinishing = true
    switch finish.kind {
    case .deliver: break
    case .atOnce: if isPending { flush(at: now) }
    case .discard: cancel()
    }
  }
}
