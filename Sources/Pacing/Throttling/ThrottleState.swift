/// When a throttler delivers: windows and their edges.
///
/// Every delivery opens a window when it is decided. A value that may be decided at once gets the
/// present as its deadline, so that leading and trailing values take the same path.
package struct ThrottleState: EdgedTiming {
  package var wait: Nanoseconds
  package var edges: Edges
  package var isPending = false
  package var isFinishing = false
  package var deadline = PacingInstant.distantFuture
  /// The end of the latest window; in the past if it ended with nothing pending.
  private var windowEnd = PacingInstant.distantPast
  /// The length of the window that the pending value opens, as given by the newest value sent.
  private var nextWindow: Nanoseconds = 0

  /// Makes an idle state.
  package init(interval: Duration, edges: Edges) {
    wait = Nanoseconds(wait: interval)
    self.edges = edges
  }

  package var idleAt: PacingInstant { windowEnd }

  package mutating func adopt(settingsOf other: ThrottleState) {
    wait = other.wait
    edges = other.edges
  }

  package mutating func send(waiting wait: Nanoseconds, at now: PacingInstant) -> SendResult {
    guard !isFinishing else { return .dropped(.finished) }
    if isPending {
      // Without a trailing edge this is a leading value held while a delivery runs.
      guard edges.hasTrailing else { return .dropped(.edge) }
    } else if now < windowEnd {
      guard edges.hasTrailing else { return .dropped(.edge) }
      deadline = windowEnd
    } else if edges.hasLeading {
      deadline = now
    } else {
      windowEnd = now + wait
      deadline = windowEnd
    }
    nextWindow = wait
    defer { isPending = true }
    return isPending ? .merged : .kept
  }

  package mutating func due(at now: PacingInstant) {
    windowEnd = now + nextWindow
    cancel()
  }

  /// Drops the pending value and closes the window, so that the throttler is idle.
  package mutating func reset() {
    windowEnd = .distantPast
    cancel()
  }
}
