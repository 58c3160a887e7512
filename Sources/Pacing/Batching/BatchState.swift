/// What a batcher holds: one open batch, and the closed ones that wait for delivery.
///
/// Closed batches queue in FIFO order and are never merged: while the handler is busy, a full batch
/// waits and the next one opens.
struct BatchState<Element: Sendable>: ControllableState {
  typealias Output = [Element]

  private struct Closed {
    let batch: [Element]
    let at: PacingInstant
    /// `nextWaiter` at the first flush of the batch; `Int.max` if it was not flushed.
    var flush = Int.max
  }

  private let limit: BatchLimit
  var isEnabled = true
  var isSuspended = false
  var nextWaiter = 0
  private(set) var flushOfDue = Int.max
  private var counts = DeliveryStatistics()
  private var open = [Element]()
  private var weight = 0
  private var firstCame = PacingInstant.distantFuture
  private var lastCame = PacingInstant.distantFuture
  /// The point from which the next grid point is counted; used only with a fixed phase.
  private var gridPoint: PacingInstant
  private var closed = FIFO<Closed>()
  private var isFinishing = false

  /// Makes an empty state; a grid begins at `start`.
  init(_ limit: BatchLimit, start: PacingInstant) {
    self.limit = limit
    gridPoint = start
  }

  static var isMergeable: Bool { false }

  var isFinished: Bool { isFinishing && closed.isEmpty }
  var outlivesItsTool: Bool { isFinishing }

  /// Whether any element is held, in the open batch or a closed one.
  var isPending: Bool { !open.isEmpty || !closed.isEmpty }

  var deadline: PacingInstant {
    isHeld(isFlushed: earliestFlush != .max) ? .distantFuture : closesAt
  }

  /// The instant at which time closes the open batch, or at which the oldest closed one closed.
  var closesAt: PacingInstant { closed.first?.at ?? openDeadline }

  var earliestFlush: Int { closed.first?.flush ?? .max }

  /// The instant at which time closes the open batch.
  private var openDeadline: PacingInstant {
    if let phase = limit.phase {
      let isDelivered = !open.isEmpty || limit.includesEmpty && !isFinishing
      return isDelivered ? gridPoint + phase : .distantFuture
    }
    return min(firstCame + limit.maximumDelay, lastCame + limit.idleGap)
  }

  // MARK: Verbs

  /// Takes an element.
  mutating func send(
    _ element: Element, weight elementWeight: Int, at now: PacingInstant
  ) -> SendResult {
    counts.received += 1
    guard isEnabled, !isFinishing else {
      let reason = isEnabled ? DropReason.finished : .disabled
      counts.drop(1, reason)
      return .dropped(reason)
    }
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

  /// Closes the open batch; returns whether anything was held.
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

  mutating func cancel() -> [Element]? {
    defer {
      _ = closed.takeAll()
      clear()
    }
    return isPending ? held : nil
  }

  /// Stops taking elements; returns those dropped by `.discard`.
  mutating func finish(_ finish: Finish, at now: PacingInstant) -> [Element]? {
    let wasFinishing = isFinishing
    isFinishing = true
    guard finish != .discard else {
      let dropped = cancel()
      counts.drop(dropped?.count ?? 0, .finished)
      return dropped
    }
    if !open.isEmpty || limit.includesEmpty && !wasFinishing { close(at: now) }
    return nil
  }

  mutating func due(at now: PacingInstant) -> [Element]? {
    if closed.isEmpty { closeByTime(at: now) }
    return popFirst()
  }

  private mutating func popFirst() -> [Element]? {
    let first = closed.popFirst()
    flushOfDue = first?.flush ?? .max
    return first?.batch
  }

  mutating func begin(_ batch: [Element]) {
    counts.delivered += batch.count
  }

  // MARK: Outcomes

  /// The elements that are held, in order.
  var held: [Element] { closed.flatMap { $0.batch } + open }

  /// The counts of all elements; those in `decided` batches have not begun.
  func statistics(decided: some Sequence<[Element]>) -> DeliveryStatistics {
    var statistics = counts
    let closedCount = closed.reduce(0) { $0 + $1.batch.count }
    statistics.pending = decided.reduce(0) { $0 + $1.count } + closedCount + open.count
    return statistics
  }

  mutating func dropped(_ batch: [Element], _ reason: DropReason) {
    counts.drop(batch.count, reason)
  }

  /// Removes and returns the oldest closed batch if more than the limit allows wait.
  mutating func takeExcess() -> [Element]? {
    closed.count > limit.maximumPendingBatches ? popFirst() : nil
  }

  // MARK: Closing

  private mutating func closeByTime(at now: PacingInstant) {
    close(at: now)
    catchUpWithGrid(at: now)
  }

  private mutating func closeBySize(at now: PacingInstant) {
    close(at: now)
    gridPoint = now
  }

  private mutating func close(at now: PacingInstant) {
    closed.append(Closed(batch: open, at: now))
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
