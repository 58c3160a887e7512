/// When a throttler delivers: windows, their edges, and which value is kept inside them.
///
/// Every delivery opens a window when it is decided. A value that may be decided at once is kept with
/// the present as its deadline, so that leading and trailing values take the same path.
package struct ThrottleState: ValueTiming {
  private let interval: Nanoseconds
  private let edges: Edges
  private let keep: Keep

  package private(set) var isPending = false
  package private(set) var isFinishing = false
  package private(set) var deadline = PacingInstant.distantFuture
  /// Nil while idle; in the past after a window in which nothing was kept.
  private var windowEnd: PacingInstant?

  /// Makes an idle state.
  package init(interval: Duration, edges: Edges, keeping keep: Keep) {
    self.interval = Nanoseconds(wait: interval)
    self.edges = edges
    self.keep = keep
  }

  package mutating func send(at now: PacingInstant) -> Intake {
    guard !isFinishing else { return .drop }
    if isPending {
      // Without a trailing edge this is a leading value that is held because a delivery runs.
      return edges.hasTrailing && keep == .latest ? .keep : .drop
    }
    if let windowEnd, now < windowEnd {
      guard edges.hasTrailing else { return .drop }
      deadline = windowEnd
    } else if edges.hasLeading {
      deadline = now
    } else {
      windowEnd = now + interval
      deadline = now + interval
    }
    isPending = true
    return .keep
  }

  package mutating func due(at now: PacingInstant) {
    windowEnd = now + interval
    cancel()
  }

  package mutating func flush(at now: PacingInstant) {
    deadline = min(deadline, now)
  }

  package mutating func cancel() {
    isPending = false
    deadline = .distantFuture
  }

  /// Drops what is kept and closes the window: the next value meets an idle throttler.
  package mutating func reset() {
    windowEnd = nil
    cancel()
  }

  package mutating func finish(_ finish: Finish, at now: PacingInstant) {
    isFinishing = true
    switch finish.policy {
    case .deliver: break
    case .atOnce: if isPending { flush(at: now) }
    case .discard: cancel()
    }
  }
}
