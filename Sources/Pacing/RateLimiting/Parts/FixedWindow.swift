/// The state of a fixed-window limit.
///
/// Windows are half-open. They form a grid from the limit's creation, or each begins with the first
/// event after the previous one.
struct FixedWindow {
  private(set) var capacity: Int
  private var length: Nanoseconds
  private var grid: PacingInstant?
  /// The first event of the latest window, and its end.
  private var first: PacingInstant
  private(set) var end: PacingInstant
  /// The cost spent in it; above the capacity after a charge without asking.
  private var used = 0

  init(_ capacity: Int, per length: Duration, fromCreation: Bool, at now: PacingInstant) {
    self.capacity = capacity
    self.length = Nanoseconds(roundingUp: length)
    grid = fromCreation ? now : nil
    first = now
    end = now
  }

  /// The end of the window in which a cost fits if the windows before it are full: a lower bound,
  /// since a large cost leaves a rest.
  func earliest(for cost: Int, behind ahead: Int128, from start: PacingInstant) -> PacingInstant {
    let isOver = ahead > 0 && end <= start
    let excess = ahead + Int128(cost) - Int128(isOver ? capacity : max(0, capacity - used))
    guard excess > 0 else { return .distantPast }
    let full = (excess - 1) / Int128(capacity)
    let first = isOver ? end(at: start) : end
    guard full > 0 else { return first }
    let span = (full - 1).multipliedReportingOverflow(by: Int128(length)).partialValue
    // A correction may have made a window of a grid longer, and the next one shorter.
    return end(at: first) + Nanoseconds(clamping: span)
  }

  func available(at now: PacingInstant) -> Int { end <= now ? capacity : capacity - used }

  func resetsAt(spending cost: Int, at now: PacingInstant) -> PacingInstant {
    if cost == 0, used == 0 { return .distantPast }
    return cost == 0 || now < end ? end : end(at: now)
  }

  /// The instant from which it is as it was at first: a window that its first event began counts
  /// even if that was given back.
  var restsAt: PacingInstant { used == 0 && grid != nil ? .distantPast : end }

  mutating func spend(_ cost: Int, at now: PacingInstant) {
    if end <= now {
      first = now
      end = end(at: now)
      used = 0
    }
    used = used.adding(cost)
  }

  mutating func giveBack(_ cost: Int, chargedAt instant: PacingInstant?, at now: PacingInstant) {
    guard now < end, instant.map({ first <= $0 }) ?? true else { return }
    used = max(0, used - cost)
  }

  /// Lowers what is left to `rest`; if that is nothing, the window under way lasts until `next`.
  mutating func lower(to rest: Int, next: PacingInstant, at now: PacingInstant) {
    let left = available(at: now)
    if left > rest { spend(left - rest, at: now) }
    if rest == 0 { end = max(end, next) }
  }

  mutating func reset(at now: PacingInstant) {
    end = now
    used = 0
    if grid != nil { grid = now }
  }

  /// Changes the settings; the window under way ends when it would have.
  mutating func reconfigure(
    _ count: Int, per length: Duration, fromCreation: Bool, at now: PacingInstant
  ) {
    capacity = count
    self.length = Nanoseconds(roundingUp: length)
    grid = fromCreation ? grid ?? now : nil
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
