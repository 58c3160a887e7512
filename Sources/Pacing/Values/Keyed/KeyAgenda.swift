/// What a keyed tool holds for one key.
struct KeySlot<Timing: ValueTiming>: Sendable {
  /// The progress of a key's delivery.
  enum Phase {
    case none
    case decided
    case running
  }

  var held: PendingValue<Timing, AnyValue>
  var phase = Phase.none
  /// The entry in a queue; nil while a delivery is decided or running.
  var entry: DeadlineQueue<Int>.Handle?
  /// Whether the entry is in the queue of those that wait for the tool to resume.
  var isParked = false
  /// Whether it made room for another key: it is removed after its delivery, and leaves no window.
  var isLeaving = false

  /// Whether a delivery of the key is decided or running, or was flushed to make room.
  @inline(__always)
  var isDeparting: Bool { isLeaving || phase != .none }

  /// When something happens to the key without a call.
  @inline(__always)
  var wakeTime: PacingInstant { held.timing.isPending ? held.timing.deadline : held.timing.idleAt }
}

/// What is to happen to the keys of a tool: which is due next, and how many are pending, flushed
/// or on their way.
struct KeyAgenda: Sendable {
  private var queue = DeadlineQueue<Int>()
  /// The numbers of the pending values that fall due only when the tool resumes.
  ///
  /// Windows stay in the queue: they end while the tool is suspended, too.
  private var parked = DeadlineQueue<Int>()
  private(set) var flushes = FlushCounts()
  private(set) var pendingCount = 0
  /// The number of keys that were flushed to make room, or whose delivery is decided or running.
  private(set) var departingCount = 0
  /// Whether the queue is not told a later deadline: the number then comes out early.
  private let isLazy: Bool

  init(isLazy: Bool) {
    self.isLazy = isLazy
  }

  /// The number of keys that there is memory for.
  var capacity: Int { max(queue.capacity, parked.capacity) }

  /// The instant at which the next number is due.
  @inline(__always)
  func earliest(isHeld: Bool) -> PacingInstant {
    isHeld ? queue.earliest : min(queue.earliest, parked.earliest)
  }

  /// Removes the next number that is due, for the caller to change its slot, which has no entry.
  @inline(__always)
  mutating func popDue(at now: PacingInstant, isHeld: Bool) -> Int? {
    if !isHeld, parked.earliest < queue.earliest { return parked.popDue(at: now)?.payload }
    return queue.popDue(at: now)?.payload
  }

  /// Records the new number of a slot.
  mutating func renumber(_ slot: KeySlot<some ValueTiming>, as number: Int) {
    guard let entry = slot.entry else { return }
    slot.isParked ? parked.replace(entry, by: number) : queue.replace(entry, by: number)
  }

  /// Changes a slot and schedules its number; returns also whether the slot is idle.
  ///
  /// A key stays in use for an open window alone if that ends beyond `end`. If `isHeld` is true,
  /// pending values are parked unless they were flushed.
  @inline(__always)
  mutating func change<Timing, Result>(
    _ slot: inout KeySlot<Timing>, _ number: Int, keepingWindowsBeyond end: PacingInstant,
    isHeld: Bool, _ body: (inout KeySlot<Timing>) -> Result
  ) -> (result: Result, isIdle: Bool) {
    let (wasPending, wasDeparting) = (slot.held.timing.isPending, slot.isDeparting)
    let oldFlush = slot.held.pendingFlush
    let result = body(&slot)
    let isPending = slot.held.timing.isPending
    let isFree = slot.phase == .none
    let hasWindow = !slot.isLeaving && slot.held.timing.idleAt > end
    let isIdle = isFree && !isPending && !hasWindow
    pendingCount += (isPending ? 1 : 0) - (wasPending ? 1 : 0)
    departingCount += (slot.isDeparting && !isIdle ? 1 : 0) - (wasDeparting ? 1 : 0)
    flushes.replace(oldFlush, by: slot.held.pendingFlush)
    if isFree, !isIdle {
      let isParked = isHeld && isPending && !slot.held.isFlushed
      if slot.isParked != isParked { cancel(&slot) }
      slot.isParked = isParked
      wake(number, by: &slot.entry, at: slot.wakeTime, isParked: isParked)
    } else {
      cancel(&slot)
    }
    return (result, isIdle)
  }

  @inline(__always)
  private mutating func cancel(_ slot: inout KeySlot<some ValueTiming>) {
    guard let entry = slot.entry.take() else { return }
    _ = slot.isParked ? parked.cancel(entry) : queue.cancel(entry)
  }

  @inline(__always)
  private mutating func wake(
    _ number: Int, by entry: inout DeadlineQueue<Int>.Handle?, at instant: PacingInstant,
    isParked: Bool
  ) {
    if isParked {
      entry =
        entry.flatMap { parked.move($0, to: instant) } ?? parked.schedule(number, at: instant)
      return
    }
    guard let old = entry else {
      entry = queue.schedule(number, at: instant)
      return
    }
    if isLazy, let deadline = queue.deadline(of: old), deadline <= instant { return }
    entry = queue.move(old, to: instant) ?? queue.schedule(number, at: instant)
  }
}
