/// When a throttler delivers which value: windows, their edges, and what is kept inside them.
///
/// Every delivery opens a window when it is decided. A value that may be decided at once is kept with
/// the present as its deadline, so that leading and trailing values take the same path.
package struct ThrottleState<Value: Sendable>: ValueState {
  private let interval: Nanoseconds
  private let edges: Edges
  private let keep: Keep

  package private(set) var pending: Value?
  package private(set) var deadline = PacingInstant.distantFuture
  /// Nil while idle; in the past after a window in which nothing was kept.
  private var windowEnd: PacingInstant?
  private var isFinishing = false

  /// Makes an idle state.
  package init(interval: Duration, edges: Edges, keeping keep: Keep) {
    self.interval = Nanoseconds(wait: interval)
    self.edges = edges
    self.keep = keep
  }

  package mutating func send(_ value: Value, at now: PacingInstant) -> Value? {
    guard !isFinishing else { return value }
    if let kept = pending {
      // Without a trailing edge this is a leading value that is held because a delivery runs.
      guard edges.hasTrailing, keep == .latest else { return value }
      pending = value
      return kept
    }
    if let windowEnd, now < windowEnd {
      guard edges.hasTrailing else { return value }
      deadline = windowEnd
    } else if edges.hasLeading {
      deadline = now
    } else {
      windowEnd = now + interval
      deadline = now + interval
    }
    pending = value
    return nil
  }

  package mutating func due(at now: PacingInstant) -> Value? {
    windowEnd = now + interval
    return take()
  }

  package mutating func flush(at now: PacingInstant) -> Bool {
    guard pending != nil else { return false }
    deadline = min(deadline, now)
    return true
  }

  package mutating func cancel() -> Value? {
    take()
  }

  /// Drops what is kept and closes the window: the next value meets an idle throttler.
  package mutating func reset() -> Value? {
    windowEnd = nil
    return take()
  }

  package mutating func finish(_ finish: Finish, at now: PacingInstant) -> Value? {
    isFinishing = true
    switch finish.policy {
    case .deliver: return nil
    case .atOnce: _ = flush(at: now)
    case .discard: return take()
    }
    return nil
  }

  package var isFinished: Bool { isFinishing && pending == nil }
  package var outlivesItsTool: Bool { isFinishing }

  private mutating func take() -> Value? {
    deadline = .distantFuture
    return pending.take()
  }
}
