/// What a keyed tool guards with its lock: the slot of each key in use, and which is due next.
struct KeyedState: SettableState {
  typealias Output = KeyedOutput

  var settings: ValueSettings
  private let keepsFirst: Bool
  private let maximumKeys: Int
  private let whenFull: WhenFull
  /// Whether the queue is not told a later deadline: the slot then comes out early.
  private let isLazy: Bool

  private let slots = SlotTable()
  private var queue = DeadlineQueue<KeySlot>()
  private var nextNumber: UInt32 = 0
  /// The slots of overdue values, while the tool is suspended; they are not in `queue`.
  private var overdue = DeadlineQueue<KeySlot>()

  private var pendingCount = 0
  /// The number of keys that were flushed to make room, or whose delivery is decided or running.
  private var departingCount = 0
  private var flushes = FlushCounts()
  private var counts = DeliveryStatistics()
  private var isFinishing = false
  private(set) var flushOfDue = Int.max
  var nextWaiter = 0

  var isSuspended = false {
    didSet {
      guard !isSuspended else { return }
      while let slot = overdue.popDue(at: .distantFuture)?.payload {
        slot.entry = nil
        slot.isOverdue = false
        change(slot) { _ in }
      }
    }
  }

  init(
    _ settings: ValueSettings, keepsFirst: Bool, maximumKeys: Int?, whenFull: WhenFull,
    isLazy: Bool
  ) {
    self.settings = settings
    self.keepsFirst = keepsFirst
    self.maximumKeys = maximumKeys ?? .max
    self.whenFull = whenFull
    // The key that makes room is the one that is due next.
    self.isLazy = isLazy && whenFull == .refuse
  }

  static var mailboxRule: MailboxRule<KeyedOutput> {
    changing(.newest) { $0.key = { AnyHashable($0.slot.key) } }
  }
  static var overlap: Overlap? { .concurrent(.max) }

  @inline(__always)
  var deadline: PacingInstant { queue.earliest }
  var nextDue: PacingInstant {
    slots.all.lazy.map { $0.held.timing.deadline }.min() ?? .distantFuture
  }

  @inline(__always)
  var isFinished: Bool { isFinishing && pendingCount == 0 }
  var outlivesItsTool: Bool { isFinishing }
  var earliestFlush: Int { flushes.earliest }
  var isPending: Bool { pendingCount > 0 }
  var keyCount: Int { slots.count }

  func statistics(undelivered: [KeyedOutput]) -> DeliveryStatistics {
    counts.with(pending: pendingCount + undelivered.count)
  }

  // MARK: Queries by key

  func slot(of key: AnyKey) -> KeySlot? { slots[key] }

  var pending: [KeyedOutput] {
    slots.all.compactMap { slot in slot.held.value.map { KeyedOutput(slot: slot, value: $0) } }
  }

  // MARK: Verbs

  /// Takes a value for a key, as `HeldValue` does.
  mutating func send(
    _ value: inout AnyValue, for key: AnyKey, waiting wait: Nanoseconds?, at now: PacingInstant
  ) -> SendResult {
    let result = take(&value, for: key, waiting: wait, at: now)
    counts.note(result)
    return result
  }

  private mutating func take(
    _ value: inout AnyValue, for key: AnyKey, waiting wait: Nanoseconds?, at now: PacingInstant
  ) -> SendResult {
    guard !isFinishing else { return .dropped(.finished) }
    let slot: KeySlot
    if let known = slots[key] {
      slot = known
    } else {
      if let reason = makeRoom(at: now) { return .dropped(reason) }
      slot = KeySlot(key: key, number: nextNumber)
      nextNumber &+= 1
      slots.insert(slot)
    }
    let (settings, keepsFirst, isSuspended) = (settings, keepsFirst, isSuspended)
    let version = counts.received
    return change(slot, at: now) { slot in
      slot.isLeaving = false
      slot.version = version
      return slot.held.send(
        &value, waiting: wait, settings, keepsFirst: keepsFirst, isSuspended: isSuspended, at: now)
    }
  }

  mutating func flush(_ key: AnyKey, at now: PacingInstant) -> Bool {
    slots[key].map { flush($0, at: now) } ?? false
  }

  mutating func flush(at now: PacingInstant) -> Bool {
    var hadAny = false
    for slot in inOrder where flush(slot, at: now) { hadAny = true }
    return hadAny
  }

  private mutating func flush(_ slot: KeySlot, at now: PacingInstant) -> Bool {
    let (settings, nextWaiter) = (settings, nextWaiter)
    return change(slot) { $0.held.flush(before: nextWaiter, settings, at: now) }
  }

  mutating func withdraw(_ key: AnyKey, _ drop: (inout ValueTiming) -> Void) -> [Output] {
    slots[key].flatMap { slot in take(slot) { $0.withdraw(drop) } }.map { [$0] } ?? []
  }

  mutating func withdrawAll(_ drop: (inout ValueTiming) -> Void) -> [Output] {
    inOrder.compactMap { slot in take(slot) { $0.withdraw(drop) } }
  }

  mutating func cancel() -> Output? { cancelAll().last }

  mutating func cancelAll() -> [Output] {
    let settings = settings
    return withdrawAll { $0.cancel(settings) }
  }

  mutating func finish(_ finish: Finish?, at now: PacingInstant) -> [Output] {
    isFinishing = true
    let (settings, finish) = (settings, finish ?? settings.usualFinish)
    let dropped = inOrder.compactMap { take($0) { $0.finish(finish, settings, at: now) } }
    counts.drop(dropped.count, .finished)
    return dropped
  }

  private mutating func take(_ slot: KeySlot, _ body: (inout HeldValue) -> AnyValue?) -> Output? {
    change(slot) { body(&$0.held) }.map { KeyedOutput(slot: slot, value: $0) }
  }

  /// The slots as their values fall due, and those due at the same time as their keys came.
  private var inOrder: [KeySlot] {
    slots.all.sorted {
      let (first, second) = ($0.held.timing.deadline, $1.held.timing.deadline)
      return first == second
        ? Int32(bitPattern: $0.number &- $1.number) < 0 : first < second
    }
  }

  // MARK: Deliveries

  mutating func due(at now: PacingInstant) -> Output? {
    guard let slot = queue.popDue(at: now)?.payload else { return nil }
    slot.entry = nil
    flushOfDue = slot.held.pendingFlush
    let (settings, deadline) = (settings, slot.held.timing.deadline)
    if isSuspended, !isFinishing, deadline <= now, !slot.held.isFlushed {
      slot.entry = overdue.schedule(slot, at: deadline)
      slot.isOverdue = true
      return nil
    }
    return change(slot, at: now) { slot in
      guard deadline <= now else { return nil }
      slot.phase = .decided
      return KeyedOutput(slot: slot, value: slot.held.due(settings, at: now), isDecided: true)
    }
  }

  mutating func begin(_ output: Output) {
    counts.delivered += 1
    move(output, to: .running)
  }

  mutating func ended(_ output: Output) { move(output, to: .none) }

  mutating func dropped(_ output: Output, _ reason: DropReason) {
    counts.drop(1, reason)
    move(output, to: .none)
  }

  private mutating func move(_ output: Output, to phase: KeySlot.Phase) {
    if output.isDecided { change(output.slot) { $0.phase = phase } }
  }

  // MARK: Slots

  /// Changes a slot, and then sets its deadline or removes it.
  @inline(__always)
  private mutating func change<Result>(
    _ slot: KeySlot, at now: PacingInstant = .distantPast, _ body: (KeySlot) -> Result
  ) -> Result {
    let (wasPending, wasDeparting) = (slot.held.timing.isPending, slot.isDeparting)
    let (oldFlush, isCrowded) = (slot.held.pendingFlush, isCrowded(by: slot))
    let result = body(slot)
    let isPending = slot.held.timing.isPending
    pendingCount += (isPending ? 1 : 0) - (wasPending ? 1 : 0)
    flushes.replace(oldFlush, by: slot.held.pendingFlush)
    // After `finish` no value can arrive inside a window.
    let hasWindow =
      !slot.isLeaving && !isFinishing && !isCrowded && slot.held.timing.idleAt(settings) > now
    let isIdle = slot.phase == .none && !isPending && !hasWindow
    departingCount += (slot.isDeparting && !isIdle ? 1 : 0) - (wasDeparting ? 1 : 0)
    if isIdle {
      remove(slot)
    } else if slot.phase == .none {
      wake(slot, at: isPending ? slot.held.timing.deadline : slot.held.timing.idleAt(settings))
    } else {
      unschedule(slot)
    }
    return result
  }

  private mutating func wake(_ slot: KeySlot, at instant: PacingInstant) {
    if slot.isOverdue { unschedule(slot) }
    guard let old = slot.entry else {
      slot.entry = queue.schedule(slot, at: instant)
      return
    }
    if isLazy, let deadline = queue.deadline(of: old), deadline <= instant { return }
    slot.entry = queue.move(old, to: instant) ?? queue.schedule(slot, at: instant)
  }

  private mutating func unschedule(_ slot: KeySlot) {
    guard let entry = slot.entry.take() else { return }
    _ = slot.isOverdue ? overdue.cancel(entry) : queue.cancel(entry)
    slot.isOverdue = false
  }

  private mutating func remove(_ slot: KeySlot) {
    unschedule(slot)
    slots.remove(slot)
  }

  // MARK: Room

  /// The number of keys that have a pending value or a window, and no delivery on its way.
  private var waitingCount: Int { slots.count - departingCount }

  /// Whether a key that returns from its delivery would be one more than may wait.
  private func isCrowded(by slot: KeySlot) -> Bool {
    whenFull == .makeRoom && slot.isDeparting && waitingCount >= maximumKeys
  }

  /// Makes room for one more key; returns why there is none, nil if there is.
  private mutating func makeRoom(at now: PacingInstant) -> DropReason? {
    guard whenFull == .makeRoom else { return slots.count < maximumKeys ? nil : .overflow }
    // Departing keys are bounded by the same number.
    guard slots.count < maximumKeys.adding(maximumKeys) else { return .full }
    while waitingCount >= maximumKeys, let slot = takeEarliest() {
      slot.entry = nil
      let (settings, nextWaiter) = (settings, nextWaiter)
      let isLeaving = change(slot, at: .distantFuture) { slot in
        slot.isLeaving = slot.held.flush(before: nextWaiter, settings, at: now)
        return slot.isLeaving
      }
      // It is in the queue again, as the first entry.
      if isLeaving { break }
    }
    return nil
  }

  /// The slot that is due next, which has no entry then.
  private mutating func takeEarliest() -> KeySlot? {
    // Overdue ones, which wait for the tool to resume, were due before all others.
    let slot = overdue.popDue(at: .distantFuture) ?? queue.popDue(at: .distantFuture)
    slot?.payload.isOverdue = false
    return slot?.payload
  }
}
