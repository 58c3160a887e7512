/// When a tool that takes values delivers: a pure value that knows instants but no values.
///
/// At most one value is pending. `PendingValue` stores it, and removes it when the timing does.
package protocol ValueTiming: Sendable {
  /// How long a value waits, or the length of its window, unless the value brings its own.
  var wait: Nanoseconds { get set }

  /// Whether a value is pending.
  var isPending: Bool { get set }

  /// When the pending value is due; `distantFuture` if there is none.
  var deadline: PacingInstant { get set }

  /// Whether no further values are taken.
  var isFinishing: Bool { get set }

  /// When the state returns to its initial one if nothing is sent until then.
  ///
  /// Meaningful only if nothing is pending; in the past if the state is already its initial one.
  var idleAt: PacingInstant { get }

  /// Adopts the settings of another timing, which apply to values sent from now on.
  mutating func adopt(settingsOf other: Self)

  /// Records a value that waits for `wait`, or opens a window of that length.
  ///
  /// - Returns: Whether the value becomes pending, meets a pending one, or is dropped.
  mutating func send(waiting wait: Nanoseconds, at now: PacingInstant) -> SendResult

  /// What `finish` does by default.
  static var usualFinish: Finish { get }

  /// Removes the pending value, whose deadline has come.
  mutating func due(at now: PacingInstant)

  /// Makes the pending value due now; called only if there is one.
  mutating func flush(at now: PacingInstant)

  /// Drops the pending value, if there is one.
  mutating func cancel()

  /// Takes no further values; the pending one stays pending or is dropped.
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
