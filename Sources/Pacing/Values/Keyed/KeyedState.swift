/// A debouncer or a throttler for each key, as one pure value: what they hold, and which is due
/// next.
///
/// A key has a slot only while it has a pending value, an open window, or a delivery that is
/// decided or running.
struct KeyedState<Timing: ValueTiming>: AdjustableState {
  typealias Output = AnyKeyedValue

  typealias Slot = KeySlot<Timing>

  /// The timing that each key begins with; its settings apply to every key.
  var timing: Timing
  var isEnabled = true
  var isSuspended = false
  private let keepsFirst: Bool
  private let keyLimit: KeyLimit
  private(set) var slots = SlotTable<Slot>()
  private var agenda: KeyAgenda
  var nextWaiter = 0
  private(set) var flushOfDue = Int.max
  private var isFinishing = false
  private var takesNoMore = false
  private var counts = DeliveryStatistics()

  /// Makes an empty state; if it is lazy, a key whose deadline moves later may be due early, which
  /// has no effect but to schedule it again.
  init(
    _ timing: Timing, keepingFirst keepsFirst: Bool, keyLimit: KeyLimit, isLazy: Bool = false
  ) {
    self.timing = timing
    self.keepsFirst = keepsFirst
    self.keyLimit = keyLimit
    // The key that makes room for another one is the first in the queue.
    agenda = KeyAgenda(isLazy: isLazy && !keyLimit.flushesEarliest)
  }

  static var key: (@Sendable (Output) -> AnyHashable)? { { AnyHashable($0.key) } }
  /// One part at a time, so that no call holds the tool's lock for long.
  var parts: Range<Int> { 0..<max(1, slots.partCount) }

  @inline(__always)
  var deadline: PacingInstant { agenda.earliest(isHeld: isHeld()) }

  @inline(__always)
  var isFinished: Bool { isFinishing && !isPending }
  var earliestFlush: Int { agenda.flushes.earliest }
  var outlivesItsTool: Bool { isFinishing }

  var keyCount: Int { slots.count }
  /// The number of keys that there is memory for.
  var keyCapacity: Int { max(slots.capacity, agenda.capacity) }
  var isPending: Bool { agenda.pendingCount > 0 }

  /// Counts of what happened to the values, excluding decided ones.
  var statistics: DeliveryStatistics {
    var statistics = counts
    statistics.pending = agenda.pendingCount
    return statistics
  }

  // MARK: Verbs

  /// What a value of a key must be reduced with before it is sent; see `ValueState`.
  func reduction(of key: AnyKey, besides reduced: Reduced<AnyValue>?) -> Reduction<AnyValue>? {
    guard isEnabled else { return nil }
    return slots.number(of: key).flatMap { slots[$0].held.reduction(besides: reduced) }
  }

  /// Takes a value; afterwards `value` is the one that will not be delivered because of it.
  mutating func send(
    _ value: inout AnyValue, key: AnyKey, reduced: Reduced<AnyValue>? = nil,
    waiting wait: Nanoseconds?, at now: PacingInstant
  ) -> SendResult {
    counts.received += 1
    let result = take(&value, key: key, reduced: reduced, waiting: wait, at: now)
    counts.note(result)
    return result
  }

  private mutating func take(
    _ value: inout AnyValue, key: AnyKey, reduced: Reduced<AnyValue>?, waiting wait: Nanoseconds?,
    at now: PacingInstant
  ) -> SendResult {
    guard isEnabled else { return .dropped(.disabled) }
    guard !takesNoMore else { return .dropped(.finished) }
    var number = slots.number(of: key)
    if number == nil {
      if let reason = makeRoom(at: now) { return .dropped(reason) }
      number = slots.append(Slot(held: PendingValue(timing)), for: key)
    }
    let (timing, keepsFirst) = (timing, keepsFirst)
    return change(number!) { slot in
      slot.isLeaving = false
      slot.held.timing.adopt(settingsOf: timing)
      return slot.held.send(
        &value, reduced: reduced, waiting: wait ?? timing.wait, keepingFirst: keepsFirst, at: now)
    }
  }

  /// Decides the pending value of a key now; false if there is none.
  mutating func flush(_ key: AnyKey, at now: PacingInstant) -> Bool {
    slots.number(of: key).map { flush($0, at: now) } ?? false
  }

  /// As `flush(_:at:)`, for a part of the keys.
  mutating func flush(part: Int, at now: PacingInstant) -> Bool {
    var hadAny = false
    forEachSlot(inPart: part) { state, number in
      if state.flush(number, at: now) { hadAny = true }
    }
    return hadAny
  }

  private mutating func forEachSlot(inPart part: Int, _ body: (inout Self, Int) -> Void) {
    let numbers = slots.numbers(inPart: part)
    var number = numbers.lowerBound
    while number < min(numbers.upperBound, slots.count) {
      let count = slots.count
      body(&self, number)
      // A removed slot's number is taken by another slot.
      if slots.count == count { number += 1 }
    }
  }

  private mutating func flush(_ number: Int, at now: PacingInstant) -> Bool {
    let nextWaiter = nextWaiter
    return change(number) { $0.held.flush(before: nextWaiter, at: now) }
  }

  /// Drops the pending value of a key with one of the timing's own verbs, and returns it.
  mutating func withdraw(_ key: AnyKey, _ drop: (inout Timing) -> Void) -> Output? {
    slots.number(of: key).flatMap { number in withdraw(number) { $0.withdraw(drop) } }
  }

  /// As `withdraw(_:_:)`, for a part of the keys.
  mutating func withdraw(part: Int, _ drop: (inout Timing) -> Void) -> [Output] {
    withdrawAll(part: part) { $0.withdraw(drop) }
  }

  private mutating func withdrawAll(
    part: Int, _ verb: (inout PendingValue<Timing, AnyValue>) -> AnyValue?
  ) -> [Output] {
    // Backwards, because the last slot takes the number of a removed one.
    slots.numbers(inPart: part).reversed().compactMap { withdraw($0, verb) }.reversed()
  }

  mutating func cancel() -> Output? { cancelAll().last }

  mutating func cancelAll(part: Int) -> [Output] { withdraw(part: part) { $0.cancel() } }

  /// Takes no more values for any key: `finish` follows, part by part.
  mutating func takeNoMore() { takesNoMore = true }

  /// Ends the keys of a part; returns the outputs dropped because of it.
  mutating func finish(_ finish: Finish, part: Int, at now: PacingInstant) -> [Output] {
    isFinishing = true
    guard finish != .discard else {
      let dropped = withdrawAll(part: part) { $0.finish(finish, at: now) }
      counts.drop(dropped.count, .finished)
      return dropped
    }
    var dropped = [Output]()
    forEachSlot(inPart: part) { state, number in
      if let output = state.withdraw(number, { $0.finish(finish, at: now) }) {
        dropped.append(output)
      }
    }
    counts.drop(dropped.count, .finished)
    return dropped
  }

  private mutating func withdraw(
    _ number: Int, _ verb: (inout PendingValue<Timing, AnyValue>) -> AnyValue?
  ) -> Output? {
    let key = slots.key(of: number)
    return change(number) { verb(&$0.held) }.map { Output(key: key, value: $0) }
  }

  // MARK: Deliveries

  mutating func due(at now: PacingInstant) -> Output? {
    guard let number = agenda.popDue(at: now, isHeld: isHeld()) else { return nil }
    let key = slots.key(of: number)
    flushOfDue = slots[number].held.pendingFlush
    // A value that was pending before the tool was suspended is parked now.
    let isParked = isHeld(isFlushed: slots[number].held.isFlushed)
    return change(number, at: now) { slot in
      slot.entry = nil
      guard !isParked, slot.held.timing.deadline <= now else { return nil }
      slot.phase = .decided
      return slot.held.due(at: now).map { Output(key: key, value: $0, isDecided: true) }
    }
  }

  mutating func begin(_ output: Output) {
    counts.delivered += 1
    move(output, to: .running)
  }

  mutating func ended(_ output: Output) {
    move(output, to: .none)
  }

  mutating func dropped(_ output: Output, _ reason: DropReason) {
    counts.drop(1, reason)
    move(output, to: .none)
  }

  private mutating func move(_ output: Output, to phase: Slot.Phase) {
    guard output.isDecided, let number = slots.number(of: output.key) else { return }
    change(number) { $0.phase = phase }
  }

  // MARK: Slots

  /// Changes a slot, updates its wake-up time, and removes the slot if it is idle.
  private mutating func change<Result>(
    _ number: Int, at now: PacingInstant = .distantPast, _ body: (inout Slot) -> Result
  ) -> Result {
    // After `finish` no value can arrive inside a window.
    let end = isFinishing || isCrowded(by: slots[number]) ? PacingInstant.distantFuture : now
    let (result, isIdle) = agenda.change(
      &slots[number], number, keepingWindowsBeyond: end, isHeld: isHeld(), body)
    if isIdle, slots.remove(number) { agenda.renumber(slots[number], as: number) }
    return result
  }

  // MARK: Room

  /// The number of keys that have a pending value or a window, and no delivery on its way.
  private var waitingCount: Int { slots.count - agenda.departingCount }

  /// Whether a key that returns from its delivery would be one more than the limit allows to wait.
  private func isCrowded(by slot: Slot) -> Bool {
    keyLimit.flushesEarliest && slot.isDeparting && waitingCount >= keyLimit.maximumKeys
  }

  /// Makes room for one more key.
  ///
  /// - Returns: Why there is no room; nil if there is.
  private mutating func makeRoom(at now: PacingInstant) -> DropReason? {
    guard keyLimit.flushesEarliest else {
      return slots.count < keyLimit.maximumKeys ? nil : .overflow
    }
    // Departing keys are bounded by the same number.
    guard slots.count < keyLimit.ceiling else { return .full }
    while waitingCount >= keyLimit.maximumKeys,
      let number = agenda.popDue(at: .distantFuture, isHeld: false)
    {
      let nextWaiter = nextWaiter
      let isLeaving = change(number, at: .distantFuture) { slot in
        slot.entry = nil
        defer { slot.isLeaving = slot.held.flush(before: nextWaiter, at: now) }
        return slot.isLeaving
      }
      // It is in the queue again, as the first entry.
      if isLeaving { break }
    }
    return nil
  }
}
