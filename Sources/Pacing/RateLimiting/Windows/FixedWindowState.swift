/// The state of a fixed-window limit.
///
/// Windows are half-open. They form a grid from the limit's creation, or each begins with the first
/// event after the previous one.
package struct FixedWindowState: LimitState {
  package private(set) var capacity: Int
  private var length: Nanoseconds
  private var grid: PacingInstant?
  /// The end of the latest event's window.
  private var end: PacingInstant
  /// The cost spent in it.
  private var used = 0

  package init(
    _ capacity: Int, per length: Nanoseconds, from start: WindowStart, at now: PacingInstant
  ) {
    self.capacity = capacity
    self.length = length
    grid = start == .creation ? now : nil
    end = now
  }

  package func earliest(for cost: Int) -> PacingInstant {
    cost <= capacity - used ? .distantPast : end
  }

  package func available(at now: PacingInstant) -> Int {
    end <= now ? capacity : capacity - used
  }

  package func resetsAt(spending cost: Int, at now: PacingInstant) -> PacingInstant {
    cost == 0 || now < end ? end : self.end(at: now)
  }

  package mutating func spend(_ cost: Int, at now: PacingInstant, isAwaited: Bool) {
    if end <= now {
      end = end(at: now)
      used = 0
    }
    used += cost
  }

  package func replaced(
    by limit: Limit, inheriting inheritance: Inheritance, at now: PacingInstant
  ) -> (any LimitState)? {
    guard case .fixedWindow(let count, let window, let start) = limit.kind else { return nil }
    var state = self
    state.capacity = count
    state.length = Nanoseconds(roundingUp: window)
    state.grid = start == .creation ? grid ?? now : nil
    if inheritance.kind == .reset { state.used = 0 }
    return state
  }

  /// The end of the window of an event at `now` that is the first in it.
  private func end(at now: PacingInstant) -> PacingInstant {
    guard let grid else { return now + length }
    // The difference of any two instants fits in 128 bits.
    let (origin, length) = (Int128(grid.nanoseconds), Int128(length))
    let index = (Int128(now.nanoseconds) - origin) / length
    return PacingInstant(nanoseconds: Nanoseconds(clamping: origin + (index + 1) * length))
  }
}
