/// A value, its key, and, where it was decided, the slot that it came from.
struct AnyKeyedValue: Sendable {
  let key: AnyKey
  let value: AnyValue
  var slot: Int?
}

/// A debouncer or a throttler for each key, as one pure value: what they hold, and who is due next.
///
/// A key has a slot only while it has a pending value, an open window or a delivery on its way.
struct KeyedState<Timing: ValueTiming>: AdjustableState {
  typealias Output = AnyKeyedValue

  /// Where the delivery of a key is.
  private enum Phase {
    case none
    case decided
    case running
  }

  private struct Slot {
    var holding: PendingValue<Timing, AnyValue>
    var phase = Phase.none
    /// The entry in the queue; nil while a delivery is on its way.
    var entry: DeadlineQueue<Int>.Handle?
    /// It made room for another key: it goes with its delivery, and leaves no window.
    var isLeaving = false
  }

  /// What each key begins with; its settings are those of every key.
  var timing: Timing
  var isEnabled = true
  private let keepsFirst: Bool
  private let limit: KeyLimit
  private var slots: SlotTable<Slot>
  private var queue = DeadlineQueue<Int>()
  private var pendingCount = 0
  private var leavingCount = 0
  private var isFinishing = false
  private var counts = DeliveryStatistics()

  init(_ timing: Timing, keepingFirst keepsFirst: Bool, limit: KeyLimit) {
    self.timing = timing
    self.keepsFirst = keepsFirst
    self.limit = limit
    slots = SlotTable(unused: Slot(holding: PendingValue(timing)))
  }

  static var key: (@Sendable (Output) -> AnyHashable)? { { AnyHashable($0.key) } }
  /// What is done with all keys is done with one part of them at a time, so that nobody waits long
  /// for the tool's lock; a key that comes meanwhile may be in any of them.
  var parts: Range<Int> { 0..<max(1, slots.partCount) }

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

  func pending(_ key: AnyKey) -> AnyValue? {
    slots.number(of: key).flatMap { slots[$0].holding.pending }
  }

  /// When the pending value of a key is due, `distantFuture` where there is none.
  func deadline(of key: AnyKey) -> PacingInstant {
    slots.number(of: key).map { slots[$0].holding.timing }.flatMap {
      $0.isPending ? $0.deadline : nil
    } ?? .distantFuture
  }

  /// Whether a value of this key is decided and has not begun.
  func isDecided(_ key: AnyKey) -> Bool {
    slots.number(of: key).map { slots[$0].phase == .decided } ?? false
  }

  // MARK: Verbs

  /// What a value of a key is to be reduced with before it is sent; `reduced` is what came of it
  /// last time.
  func reduction(of key: AnyKey, besides reduced: Reduced<AnyValue>?) -> Reduction<AnyValue>? {
    guard isEnabled else { return nil }
    return slots.number(of: key).flatMap { slots[$0].holding.reduction(besides: reduced) }
  }

  /// Takes a value, and leaves in its place the one that will not be delivered because of it.
  ///
  /// - Returns: Why that one is dropped, nil where it is merged, or where there is none.
  mutating func send(
    _ value: inout AnyValue, key: AnyKey, reduced: Reduced<AnyValue>? = nil,
    waiting wait: Nanoseconds?, at now: PacingInstant
  ) -> DropReason? {
    counts.received += 1
    guard isEnabled else { return drop(.disabled) }
    guard !isFinishing else { return drop(.finished) }
    var number = slots.number(of: key)
    if number == nil, makeRoom(at: now) {
      number = slots.insert(Slot(holding: PendingValue(timing)), for: key)
    }
    guard let number else { return drop(.overflow) }
    let (timing, keepsFirst) = (timing, keepsFirst)
    let fate = change(number) { slot in
      slot.isLeaving = false
      slot.holding.timing.adopt(settingsOf: timing)
      let wait = wait ?? timing.wait
      guard let reduced else {
        return slot.holding.send(&value, waiting: wait, keepingFirst: keepsFirst, at: now)
      }
      return slot.holding.send(&value, reduced: reduced, waiting: wait, at: now)
    }
    return counts.note(fate)
  }

  /// Decides the pending value of a key now; false where there is none.
  mutating func flush(_ key: AnyKey, at now: PacingInstant) -> Bool {
    slots.number(of: key).map { flush($0, at: now) } ?? false
  }

  /// Decides the pending values of a part of the keys now; says whether there were any.
  mutating func flush(part: Int, at now: PacingInstant) -> Bool {
    // Not `contains`, which would stop at the first.
    slots.numbers(inPart: part).reduce(false) { flush($1, at: now) || $0 }
  }

  private mutating func flush(_ number: Int, at now: PacingInstant) -> Bool {
    change(number) { $0.holding.flush(at: now) }
  }

  /// Drops the pending value of a key by one of the timing's own verbs, and returns it.
  mutating func withdraw(_ key: AnyKey, _ drop: (inout Timing) -> Void) -> Output? {
    slots.number(of: key).flatMap { number in withdraw(number) { $0.withdraw(drop) } }
  }

  /// Drops the pending values of a part of the keys by one of the timing's own verbs, and returns
  /// them.
  mutating func withdraw(part: Int, _ drop: (inout Timing) -> Void) -> [Output] {
    slots.numbers(inPart: part).compactMap { number in withdraw(number) { $0.withdraw(drop) } }
  }

  mutating func cancel() -> Output? { cancelAll().last }

  mutating func cancelAll(part: Int) -> [Output] { withdraw(part: part) { $0.cancel() } }

  /// Takes no more values, of any key; returns those of a part that are dropped because of it.
  mutating func finish(_ finish: Finish, part: Int, at now: PacingInstant) -> [Output] {
    isFinishing = true
    let dropped = slots.numbers(inPart: part).compactMap { number in
      withdraw(number) { $0.finish(finish, at: now) }
    }
    counts.drop(dropped.count, .finished)
    return dropped
  }

  private mutating func withdraw(
    _ number: Int, _ verb: (inout PendingValue<Timing, AnyValue>) -> AnyValue?
  ) -> Output? {
    let key = slots.key(of: number)
    return change(number) { verb(&$0.holding) }.map { Output(key: key, value: $0) }
  }

  // MARK: Deliveries

  mutating func due(at now: PacingInstant) -> Output? {
    guard let (_, number) = queue.popDue(at: now) else { return nil }
    let key = slots.key(of: number)
    return change(number, at: now) { slot in
      slot.entry = nil
      guard slot.holding.timing.deadline <= now else { return nil }
      slot.phase = .decided
      return slot.holding.due(at: now).map { Output(key: key, value: $0, slot: number) }
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
    _ = drop(reason)
    move(output, to: .none)
  }

  private mutating func move(_ output: Output, to phase: Phase) {
    if let number = output.slot { change(number) { $0.phase = phase } }
  }

  private mutating func drop(_ reason: DropReason) -> DropReason {
    counts.drop(1, reason)
    return reason
  }

  // MARK: Slots

  /// Changes a slot, has its key woken when it must be, and gives it up where nothing is left in
  /// it.
  private mutating func change<Result>(
    _ number: Int, at now: PacingInstant = .distantPast, _ body: (inout Slot) -> Result
  ) -> Result {
    let wasPending = slots[number].holding.timing.isPending
    let wasLeaving = slots[number].isLeaving
    let result = body(&slots[number])
    let (timing, isLeaving) = (slots[number].holding.timing, slots[number].isLeaving)
    pendingCount += (timing.isPending ? 1 : 0) - (wasPending ? 1 : 0)
    // Where no more values are taken, nobody comes who would find a window.
    let hasWindow = timing.idleAt > now && !isLeaving && !isCrowded && !isFinishing
    let isFree = slots[number].phase == .none
    let isIdle = isFree && !timing.isPending && !hasWindow
    leavingCount += (isLeaving && !isIdle ? 1 : 0) - (wasLeaving ? 1 : 0)
    let isWaiting = isFree && !isIdle
    wake(number, at: isWaiting ? (timing.isPending ? timing.deadline : timing.idleAt) : nil)
    if isIdle { slots.remove(number) }
    return result
  }

  /// Has a slot's number come out of the queue at an instant, nil for not at all.
  private mutating func wake(_ number: Int, at instant: PacingInstant?) {
    let entry = slots[number].entry
    guard let instant else {
      slots[number].entry = nil
      _ = entry.map { queue.cancel($0) }
      return
    }
    slots[number].entry =
      entry.flatMap { queue.move($0, to: instant) } ?? queue.schedule(number, at: instant)
  }

  // MARK: Room

  /// How many keys count: those that have made room for others are as good as gone.
  private var stayingCount: Int { slots.count - leavingCount }

  /// Whether there are more keys than there should be, because their deliveries were on their way.
  private var isCrowded: Bool { limit.flushesEarliest && stayingCount > limit.maximum }

  /// Makes room for one more key; false where there is none.
  private mutating func makeRoom(at now: PacingInstant) -> Bool {
    guard limit.flushesEarliest else { return slots.count < limit.maximum }
    while stayingCount >= limit.maximum, let (_, number) = queue.popDue(at: .distantFuture) {
      let isLeaving = change(number, at: .distantFuture) { slot in
        slot.entry = nil
        defer { slot.isLeaving = slot.holding.flush(at: now) }
        return slot.isLeaving
      }
      // It is in the queue again, and first.
      if isLeaving { break }
    }
    return true
  }
}
