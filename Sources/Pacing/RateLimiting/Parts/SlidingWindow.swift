/// The state of a sliding-window limit: a log of the events in the latest window.
///
/// Windows are half-open: an event exactly one window old no longer counts. Events at the same
/// instant share an entry.
struct SlidingWindow {
  private struct Event {
    let instant: PacingInstant
    /// The cumulative cost up to and including this event; wraps around, so only differences are
    /// meaningful.
    var total: UInt
  }

  private(set) var capacity: Int
  private var length: Nanoseconds
  private var events = ContiguousArray<Event>()
  /// The index of the first event that may be live.
  private var first = 0
  /// The cumulative cost of all events before that.
  private var forgotten: UInt = 0

  init(_ capacity: Int, per length: Duration) {
    self.capacity = capacity
    self.length = Nanoseconds(roundingUp: length)
  }

  var entryCount: Int { events.count - first }

  /// The instant at which so much has left the window that a cost fits: a lower bound behind other
  /// costs, which are taken to be granted one by one, each as early as it can be.
  func earliest(for cost: Int, behind ahead: Int128, from start: PacingInstant) -> PacingInstant {
    let live = ahead > 0 ? firstLive(at: start) : first
    let used = Int128(used(from: live))
    let capacity = Int128(capacity)
    // The number, in the order of grants, of the event that must have left.
    var number = used + ahead + Int128(cost) - capacity
    guard number > 0 else { return .distantPast }
    // Those ahead beyond the first capacity must themselves wait for events to leave.
    let more = max(0, number - max(used, capacity) + capacity - 1) / capacity
    let windows = 1 + more
    number -= more * capacity
    let granted = number <= used ? instant(ofNumber: UInt(number), from: live) : start
    let span = windows.multipliedReportingOverflow(by: Int128(length)).partialValue
    return granted + Nanoseconds(clamping: span)
  }

  func available(at now: PacingInstant) -> Int { capacity - Int(used(from: firstLive(at: now))) }

  func resetsAt(spending cost: Int, at now: PacingInstant) -> PacingInstant {
    let last = events.last.map { $0.instant + length } ?? .distantPast
    return cost == 0 ? last : max(last, now + length)
  }

  mutating func spend(_ cost: Int, at now: PacingInstant) {
    forget(at: now)
    guard cost > 0 else { return }
    // A server's correction may count from later on.
    let now = events.last.map { max(now, $0.instant) } ?? now
    // A charge without asking counts at most what an `Int` holds.
    let cost = min(UInt(cost), UInt(Int.max) - used(from: first))
    let total = (events.last?.total ?? forgotten) &+ cost
    if first < events.count, events[events.count - 1].instant == now {
      events[events.count - 1].total = total
    } else {
      events.append(Event(instant: now, total: total))
    }
  }

  /// Gives back what still counts of a cost that was charged at an instant; nil for the latest.
  mutating func giveBack(_ cost: Int, chargedAt instant: PacingInstant?, at now: PacingInstant) {
    forget(at: now)
    if let instant {
      let index = firstIndex(from: first) { $0.instant >= instant }
      guard index < events.count, events[index].instant == instant else { return }
      let own = events[index].total &- (index > first ? events[index - 1].total : forgotten)
      for later in index..<events.count { events[later].total &-= min(UInt(cost), own) }
    } else {
      let left = used(from: first) - min(UInt(cost), used(from: first))
      for index in first..<events.count {
        events[index].total = forgotten &+ min(events[index].total &- forgotten, left)
      }
    }
    while events.count > first, used(from: events.count - 1) == 0 { events.removeLast() }
  }

  /// Lowers what is left to `rest`; if that is nothing, what counts by then leaves at `next`.
  mutating func lower(to rest: Int, next: PacingInstant, at now: PacingInstant) {
    forget(at: now)
    let (used, most) = (used(from: first), UInt(max(0, capacity - rest)))
    let excess = most > used ? most - used : 0
    guard rest == 0, next > now else { return spend(Int(excess), at: now) }
    let instant = next - length
    let index = firstIndex(from: first) { $0.instant > instant }
    for later in index..<events.count { events[later].total &+= excess }
    let total = (index > first ? events[index - 1].total : forgotten) &+ excess
    events.replaceSubrange(
      first..<index, with: total == forgotten ? [] : [Event(instant: instant, total: total)])
  }

  mutating func reset() {
    events = []
    first = 0
    forgotten = 0
  }

  /// Changes the settings; what was spent stays.
  mutating func reconfigure(_ count: Int, per length: Duration, at now: PacingInstant) {
    // A longer window counts nothing again.
    forget(at: now)
    capacity = count
    self.length = Nanoseconds(roundingUp: length)
  }

  private func used(from index: Int) -> UInt {
    (events.last?.total ?? forgotten) &- (index > first ? events[index - 1].total : forgotten)
  }

  /// The instant of the event that contains a number, counted from one at the event `live`.
  private func instant(ofNumber number: UInt, from live: Int) -> PacingInstant {
    let before = live > first ? events[live - 1].total : forgotten
    return events[firstIndex(from: live) { $0.total &- before >= number }].instant
  }

  private func firstLive(at now: PacingInstant) -> Int {
    // Usually it is the first that may be.
    if first == events.count || events[first].instant + length > now { return first }
    return firstIndex(from: first) { $0.instant + length > now }
  }

  /// The first event from an index on that meets a monotonic condition, by binary search.
  private func firstIndex(from start: Int, where isMet: (Event) -> Bool) -> Int {
    var range = start..<events.count
    while !range.isEmpty {
      let middle = range.lowerBound + range.count / 2
      range = isMet(events[middle]) ? range.lowerBound..<middle : middle + 1..<range.upperBound
    }
    return range.lowerBound
  }

  /// Forgets the events that have left, and gives their memory back.
  private mutating func forget(at now: PacingInstant) {
    while first < events.count, events[first].instant + length <= now {
      forgotten = events[first].total
      first += 1
    }
    guard first > 0, first == events.count || first >= 16 && 2 * first >= events.count else {
      return
    }
    events.removeSubrange(..<first)
    first = 0
    if events.capacity > 4 * events.count + 64 { events = ContiguousArray(events[...]) }
  }
}
