/// The state of a sliding-window limit: a log of the events in the latest window.
///
/// Windows are half-open: an event exactly one window old no longer counts. Events at the same
/// instant share an entry, and there are never more live entries than the capacity.
package struct SlidingWindowState: LimitState {
  private struct Event {
    let instant: PacingInstant
    /// The cumulative cost up to and including this event; wraps around, so only differences are
    /// meaningful.
    var total: UInt
  }

  package private(set) var capacity: Int
  private var length: Nanoseconds
  private var events = ContiguousArray<Event>()
  /// The events of a projection, behind `events`, which it shares with the state and never changes.
  private var planned: ContiguousArray<Event>?
  /// In a stage of a projection, the number of events planned by then, which it does not hold.
  private var stagedCount = 0
  /// The index of the first live event.
  private var first = 0
  /// The cumulative cost of all forgotten events.
  private var forgotten: UInt = 0

  /// The number of stored entries, including forgotten ones not yet removed.
  package var entryCount: Int { events.count + (planned?.count ?? 0) }

  /// How many entries there is memory for.
  package var entryCapacity: Int { events.capacity }

  private var last: Event? { planned?.last ?? events.last }

  private subscript(index: Int) -> Event {
    index < events.count ? events[index] : planned![index - events.count]
  }

  package init(_ capacity: Int, per length: Nanoseconds) {
    self.capacity = capacity
    self.length = length
  }

  package func earliest(for cost: Int) -> PacingInstant {
    let allowed = UInt(capacity - cost)
    let used = used(from: first)
    guard used > allowed else { return .distantPast }
    // The first event whose expiry frees enough.
    let leaving = firstIndex { $0.total &- forgotten >= used - allowed }
    return self[leaving].instant + length
  }

  package func available(at now: PacingInstant) -> Int {
    capacity - Int(used(from: firstIndex { $0.instant + length > now }))
  }

  package func resetsAt(spending cost: Int, at now: PacingInstant) -> PacingInstant {
    guard cost == 0 else { return now + length }
    return last.map { $0.instant + length } ?? .distantPast
  }

  /// A copy to spend in at the cost of what is spent there, not of the log.
  package var projected: any LimitState {
    var copy = self
    copy.planned = []
    return copy
  }

  package var stage: any LimitState {
    var copy = self
    copy.stagedCount = planned?.count ?? 0
    copy.planned = nil
    return copy
  }

  package mutating func rewind(to stage: any LimitState) {
    guard let stage = stage as? Self else { return }
    first = stage.first
    forgotten = stage.forgotten
    planned?.removeSubrange(stage.stagedCount...)
  }

  package mutating func spend(_ cost: Int, at now: PacingInstant, isAwaited: Bool) {
    forget(at: now)
    let total = (last?.total ?? forgotten) &+ UInt(cost)
    guard planned == nil else {
      planned?.append(Event(instant: now, total: total))
      return
    }
    if first < events.count, events[events.count - 1].instant == now {
      events[events.count - 1].total = total
    } else {
      events.append(Event(instant: now, total: total))
    }
  }

  package func replaced(
    by limit: Limit, inheriting inheritance: Inheritance, at now: PacingInstant
  ) -> (any LimitState)? {
    guard case .slidingWindow(let count, let window) = limit.kind else { return nil }
    let length = Nanoseconds(roundingUp: window)
    guard inheritance.kind != .reset else { return SlidingWindowState(count, per: length) }
    var state = self
    state.capacity = count
    state.length = length
    return state
  }

  /// The total cost of the events from an index on.
  private func used(from index: Int) -> UInt {
    let before = index > first ? self[index - 1].total : forgotten
    return (last?.total ?? forgotten) &- before
  }

  /// The first live event that meets a monotonic condition, by binary search.
  private func firstIndex(where isMet: (Event) -> Bool) -> Int {
    var range = first..<entryCount
    while !range.isEmpty {
      let middle = range.lowerBound + range.count / 2
      range = isMet(self[middle]) ? range.lowerBound..<middle : middle + 1..<range.upperBound
    }
    return range.lowerBound
  }

  private mutating func forget(at now: PacingInstant) {
    while first < entryCount, self[first].instant + length <= now {
      forgotten = self[first].total
      first += 1
    }
    if planned == nil { events.removeUnused(before: &first) }
  }
}
