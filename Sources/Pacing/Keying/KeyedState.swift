/// A debouncer or a throttler for each key, as one pure value: what they hold, and who is due next.
///
/// A key has a slot only while it has a pending value, an open window or a delivery on its way.
struct KeyedState<Key: Hashable & Sendable, Timing: ValueTiming, Value: Sendable>: PacedState {
  typealias Output = KeyedValue<Key, Value>

  /// Where the delivery of a key is.
  private enum Phase {
    case none
    case decided
    case running
  }

  private struct Slot {
    var holding: Holding<Timing, Value>
    var phase = Phase.none
    /// The entry in the queue; nil while a delivery is on its way.
    var entry: DeadlineQueue<Key>.Handle?
  }

  private let timing: Timing
  private let limit: KeyLimit
  private var slots = KeyTable<Key, Slot>()
  private var queue = DeadlineQueue<Key>()
  private var pendingCount = 0
  private var isFinishing = false
  private var counts = DeliveryStatistics()

  init(_ timing: Timing, limit: KeyLimit) {
    self.timing = timing
    self.limit = limit
  }

  static var key: (@Sendable (Output) -> AnyHashable)? { { AnyHashable($0.key) } }

  var deadline: PacingInstant { queue.earliest }
  var isFinished: Bool { isFinishing && pendingCount == 0 }
  var outlivesItsTool: Bool { isFinishing }

  /// How many keys have a pending value, an open window or a delivery on its way.
  var keyCount: Int { slots.count }
  var isPending: Bool { pendingCount > 0 }

  /// What has become of the values; those that are decided are not counted.
  var statistics: DeliveryStatistics {
    var statistics = counts
    statistics.pending = pendingCount
    return statistics
  }

  func pending(_ key: Key) -> Value? { slots[key]?.holding.pending }

  /// Whether a value of this key is decided and has not begun.
  func isDecided(_ key: Key) -> Bool { slots[key]?.phase == .decided }

  // MARK: Verbs

  /// Takes a value, and leaves in its place the one that will not be delivered because of it.
  ///
  /// - Returns: Why that one is dropped, nil where it is merged, or where there is none.
  mutating func send(_ value: inout Value, key: Key, at now: PacingInstant) -> DropReason? {
    counts.received += 1
    guard !isFinishing else { return drop(.finished) }
    guard slots[key] != nil || makeRoom(at: now) else { return drop(.overflow) }
    let wait = timing.wait
    let fate = change(key) { slot in
      slot.holding.send(&value, waiting: wait, keepingFirst: false, at: now)
    }
    switch fate {
    case .kept: return nil
    case .merged:
      counts.merged += 1
      return nil
    case .dropped(let reason): return drop(reason)
    }
  }

  /// Decides the pending value of a key now; false where there is none.
  mutating func flush(_ key: Key, at now: PacingInstant) -> Bool {
    change(key) { $0.holding.flush(at: now) }
  }

  /// Decides the pending values of a part of the keys now; says whether there were any.
  mutating func flush(part: Int, at now: PacingInstant) -> Bool {
    // Not `contains`, which would stop at the first.
    slots.keys(in: part).reduce(false) { flush($1, at: now) || $0 }
  }

  /// Drops the pending value of a key, and returns it.
  mutating func cancel(_ key: Key) -> Output? {
    let value = change(key) { $0.holding.withdraw { $0.cancel() } }
    return value.map { Output(key: key, value: $0) }
  }

  mutating func cancel() -> Output? { cancelAll().last }

  mutating func cancelAll() -> [Output] {
    KeyTable<Key, Slot>.parts.flatMap { part in
      slots.keys(in: part).compactMap { cancel($0) }
    }
  }

  /// Takes no more values, of any key; returns those that are dropped because of it.
  mutating func finish(_ finish: Finish, at now: PacingInstant) -> [Output] {
    isFinishing = true
    return KeyTable<Key, Slot>.parts.flatMap { part in
      slots.keys(in: part).compactMap { key -> Output? in
        let dropped = change(key) { $0.holding.finish(finish, at: now) }
        guard let dropped else { return nil }
        _ = drop(.finished)
        return Output(key: key, value: dropped)
      }
    }
  }

  // MARK: Deliveries

  mutating func due(at now: PacingInstant) -> Output? {
    guard let (_, key) = queue.popDue(at: now) else { return nil }
    return change(key, at: now) { slot in
      slot.entry = nil
      guard slot.holding.timing.deadline <= now else { return nil }
      slot.phase = .decided
      return slot.holding.due(at: now).map { Output(key: key, value: $0) }
    }
  }

  mutating func begin(_ output: Output) {
    counts.delivered += 1
    change(output.key) { $0.phase = .running }
  }

  mutating func ended(_ output: Output) {
    change(output.key) { $0.phase = .none }
  }

  mutating func dropped(_ output: Output, _ reason: DropReason) {
    _ = drop(reason)
    if isDecided(output.key) { change(output.key) { $0.phase = .none } }
  }

  private mutating func drop(_ reason: DropReason) -> DropReason {
    counts.drop(1, reason)
    return reason
  }

  // MARK: Slots

  /// Changes a key's slot, has it woken when it must be, and gives it up where nothing is left in it.
  private mutating func change<Result>(
    _ key: Key, at now: PacingInstant = .distantPast, _ body: (inout Slot) -> Result
  ) -> Result {
    var slot = slots[key] ?? Slot(holding: Holding(timing))
    let wasPending = slot.holding.timing.isPending
    let result = body(&slot)
    let timing = slot.holding.timing
    pendingCount += (timing.isPending ? 1 : 0) - (wasPending ? 1 : 0)
    let isIdle = slot.phase == .none && !timing.isPending && timing.idleAt <= now
    let isWaiting = slot.phase == .none && !isIdle
    wake(&slot, key, at: isWaiting ? (timing.isPending ? timing.deadline : timing.idleAt) : nil)
    slots[key] = isIdle ? nil : slot
    return result
  }

  /// Has a slot's key come out of the queue at an instant, nil for not at all.
  private mutating func wake(_ slot: inout Slot, _ key: Key, at instant: PacingInstant?) {
    let entry = slot.entry
    guard let instant else {
      slot.entry = nil
      _ = entry.map { queue.cancel($0) }
      return
    }
    slot.entry = entry.flatMap { queue.move($0, to: instant) } ?? queue.schedule(key, at: instant)
  }

  /// Makes room for one more key; false where there is none.
  private mutating func makeRoom(at now: PacingInstant) -> Bool {
    guard queue.count >= limit.maximum else { return true }
    guard limit.flushesEarliest, let (_, key) = queue.popDue(at: .distantFuture) else {
      return false
    }
    change(key, at: .distantFuture) { slot in
      slot.entry = nil
      _ = slot.holding.flush(at: now)
    }
    return true
  }
}
