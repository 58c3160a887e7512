/// What a batcher holds: one open batch, and the closed ones that wait for delivery.
///
/// Closed batches queue in FIFO order and are never merged: while the handler is busy, a full batch
/// waits and the next one opens.
struct BatchState: ToolState {
  typealias Output = [AnyValue]

  private struct Closed {
    let batch: [AnyValue]
    let at: PacingInstant
    /// How many empty batches it stands for, that nothing took; otherwise one.
    var count = 1
    /// `nextWaiter` at the first flush of the batch; `Int.max` if it was not flushed.
    var flush = Int.max
  }

  private let limit: BatchLimit
  var isSuspended = false
  var nextWaiter = 0
  private(set) var flushOfDue = Int.max
  private var counts = DeliveryStatistics()
  private var open = [AnyValue]()
  private var weight = 0
  private var firstCame = PacingInstant.distantFuture
  private var lastCame = PacingInstant.distantFuture
  /// The point from which the next grid point is counted; used only with a fixed phase.
  private var gridPoint: PacingInstant
  private var closed = FIFO<Closed>()
  /// The number of closed batches, also of those that share an entry.
  private var closedCount = 0
  private var isFinishing = false

  init(_ limit: BatchLimit, start: PacingInstant) {
    self.limit = limit
    gridPoint = start
  }

  static var hasRoomLimit: Bool { true }
  static var mailboxRule: MailboxRule<[AnyValue]> {
    changing(.all) { $0.isRepeat = { $0.isEmpty && $1.isEmpty } }
  }

  var isFinished: Bool { isFinishing && nextDue == .distantFuture }
  var outlivesItsTool: Bool { isFinishing }

  var isPending: Bool { !open.isEmpty || !closed.isEmpty }

  var deadline: PacingInstant {
    isSuspended && !isFinishing && earliestFlush == .max ? .distantFuture : nextDue
  }

  /// The instant at which time closes the open batch, or at which the oldest closed one closed.
  var nextDue: PacingInstant { closed.first?.at ?? openDeadline }

  var earliestFlush: Int { closed.first?.flush ?? .max }

  /// The instant at which time closes the open batch.
  private var openDeadline: PacingInstant {
    if let phase = limit.phase {
      let isDelivered = !open.isEmpty || limit.includesEmpty && !isFinishing
      return isDelivered ? gridPoint + phase : .distantFuture
    }
    return min(firstCame + limit.maximumDelay, lastCame + limit.idleGap)
  }

  mutating func send(
    _ element: AnyValue, weight elementWeight: Int, at now: PacingInstant
  ) -> SendResult {
    counts.note(isFinishing ? .dropped(.finished) : .kept)
    guard !isFinishing else { return .dropped(.finished) }
    // A batch already due closes before this element, which belongs to the next one.
    if openDeadline <= now { closeByTime(at: now) }
    let sum = weight.adding(max(0, elementWeight))
    if !open.isEmpty, sum > limit.maximumWeight { closeBySize(at: now) }
    if open.isEmpty {
      firstCame = now
      if limit.phase != nil { catchUpWithGrid(at: now) }
    }
    open.append(element)
    weight = weight.adding(max(0, elementWeight))
    lastCame = now
    if open.count >= limit.maximumCount || isHeavy { closeBySize(at: now) }
    return .kept
  }

  /// Whether the open batch has the weight at which one closes; none has without a maximum.
  private var isHeavy: Bool { limit.maximumWeight < .max && weight >= limit.maximumWeight }

  mutating func flush(at now: PacingInstant) -> Bool {
    guard isPending else { return false }
    if !open.isEmpty {
      // While nothing may be decided, the end of its period may have passed.
      openDeadline <= now ? closeByTime(at: now) : close(at: now)
    }
    for number in closed.end - closed.count..<closed.end {
      closed[number].flush = min(closed[number].flush, nextWaiter)
    }
    return true
  }

  mutating func cancel() -> [AnyValue]? {
    defer {
      _ = closed.takeAll()
      closedCount = 0
      clear()
    }
    return isPending ? held : nil
  }

  mutating func finish(_ finish: Finish?, at now: PacingInstant) -> [[AnyValue]] {
    let wasFinishing = isFinishing
    isFinishing = true
    switch finish ?? .atOnce {
    case .whenDue: if !open.isEmpty, openDeadline == .distantFuture { close(at: now) }
    case .atOnce: if !open.isEmpty || limit.includesEmpty && !wasFinishing { close(at: now) }
    case .discard:
      guard let dropped = cancel() else { return [] }
      counts.drop(dropped.count, .finished)
      return [dropped]
    }
    return []
  }

  mutating func due(at now: PacingInstant) -> [AnyValue]? {
    if closed.isEmpty { closeByTime(at: now) }
    return popFirst()
  }

  private mutating func popFirst() -> [AnyValue]? {
    guard let first = closed.first else { return nil }
    closedCount -= 1
    flushOfDue = first.flush
    if first.count > 1 {
      closed[closed.end - closed.count].count -= 1
    } else {
      _ = closed.popFirst()
    }
    return first.batch
  }

  mutating func begin(_ batch: [AnyValue]) {
    counts.delivered += batch.count
  }

  var held: [AnyValue] { closed.flatMap { $0.batch } + open }

  func statistics(undelivered: [[AnyValue]]) -> DeliveryStatistics {
    let elementCount = closed.reduce(0) { $0 + $1.batch.count }
    return counts.with(
      pending: undelivered.reduce(0) { $0 + $1.count } + elementCount + open.count)
  }

  mutating func dropped(_ batch: [AnyValue], _ reason: DropReason) {
    counts.drop(batch.count, reason)
  }

  mutating func takeExcess() -> [AnyValue]? {
    closedCount > limit.maximumPendingBatches ? popFirst() : nil
  }

  private mutating func closeByTime(at now: PacingInstant) {
    close(at: now)
    catchUpWithGrid(at: now)
  }

  private mutating func closeBySize(at now: PacingInstant) {
    close(at: now)
    gridPoint = now
  }

  private mutating func close(at now: PacingInstant) {
    closedCount += 1
    if let last = closed.last, open.isEmpty, last.batch.isEmpty, last.flush == .max {
      closed[closed.end - 1].count += 1
    } else {
      closed.append(Closed(batch: open, at: now))
    }
    clear()
  }

  private mutating func clear() {
    open = []
    weight = 0
    firstCame = .distantFuture
    lastCame = .distantFuture
  }

  /// Moves to the latest point of the grid that has passed; lateness does not shift the grid.
  private mutating func catchUpWithGrid(at now: PacingInstant) {
    guard let phase = limit.phase else { return }
    gridPoint = gridPoint + phase.multiplied(by: (now - gridPoint) / phase)
  }
}
