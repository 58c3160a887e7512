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
  /// The entry in the queue; nil while a delivery is decided or running.
  var entry: DeadlineQueue<Int>.Handle?
  /// Whether it made room for another key: it is removed after its delivery, and leaves no window.
  var isLeaving = false

  /// When something happens to the key without a call; flushed values come first if the others are
  /// held.
  @inline(__always)
  func wakeTime(holdingOthers: Bool) -> PacingInstant {
    guard held.timing.isPending else { return held.timing.idleAt }
    return holdingOthers && held.isFlushed ? .distantPast : held.timing.deadline
  }
}

/// What is to happen to the keys of a tool: which is due next, and how many are pending, flushed
/// or leaving.
struct KeyAgenda: Sendable {
  var queue = DeadlineQueue<Int>()
  private(set) var flushes = FlushCounts()
  private(set) var pendingCount = 0
  private(set) var leavingCount = 0
  /// Whether the queue is not told a later deadline: the number then comes out early.
  private let isLazy: Bool

  init(isLazy: Bool) {
    self.isLazy = isLazy
  }

  /// Changes a slot and schedules its number; returns also whether the slot is idle.
  ///
  /// A key stays in use for an open window alone if that ends beyond `end`. If `holdingOthers` is
  /// true, only flushed values are decided.
  @inline(__always)
  mutating func change<Timing, Result>(
    _ slot: inout KeySlot<Timing>, _ number: Int, keepingWindowsBeyond end: PacingInstant,
    holdingOthers: Bool, _ body: (inout KeySlot<Timing>) -> Result
  ) -> (result: Result, isIdle: Bool) {
    let (wasPending, wasLeaving) = (slot.held.timing.isPending, slot.isLeaving)
    let oldFlush = slot.held.pendingFlush
    let result = body(&slot)
    let isPending = slot.held.timing.isPending
    let isFree = slot.phase == .none
    let hasWindow = !slot.isLeaving && slot.held.timing.idleAt > end
    let isIdle = isFree && !isPending && !hasWindow
    pendingCount += (isPending ? 1 : 0) - (wasPending ? 1 : 0)
    leavingCount += (slot.isLeaving && !isIdle ? 1 : 0) - (wasLeaving ? 1 : 0)
    flushes.replace(oldFlush, by: slot.held.pendingFlush)
    if isFree, !isIdle {
      wake(number, by: &slot.entry, at: slot.wakeTime(holdingOthers: holdingOthers))
    } else if let entry = slot.entry.take() {
      _ = queue.cancel(entry)
    }
    return (result, isIdle)
  }

  @inline(__always)
  private mutating func wake(
    _ number: Int, by entry: inout DeadlineQueue<Int>.Handle?, at instant: PacingInstant
  ) {
    guard let old = entry else {
      entry = queue.schedule(number, at: instant)
      return
    }
    if isLazy, let deadline = queue.deadline(of: old), deadline <= instant { return }
    entry = queue.move(old, to: instant) ?? queue.schedule(number, at: instant)
  }
}
