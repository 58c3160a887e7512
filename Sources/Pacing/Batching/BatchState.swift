/// What a batcher holds: one open batch, and those that are closed and wait to be delivered.
///
/// Closed batches stand in line and are never merged: while one is on its way to the handler, a full
/// one waits behind it and the next is opened.
package struct BatchState<Element: Sendable>: PacedState {
  package typealias Output = [Element]

  private let limit: BatchLimit
  private var open = [Element]()
  private var weight = 0
  private var firstCame = PacingInstant.distantFuture
  private var lastCame = PacingInstant.distantFuture
  /// The point of the grid before the next one; only with a fixed phase.
  private var gridPoint: PacingInstant
  private var closed = Line<(batch: [Element], at: PacingInstant)>()
  private var isFinishing = false

  /// Makes an empty state; a grid begins at `start`.
  package init(_ limit: BatchLimit, start: PacingInstant) {
    self.limit = limit
    gridPoint = start
  }

  package static var isMergeable: Bool { false }

  package var isFinished: Bool { isFinishing && closed.isEmpty }
  package var outlivesItsTool: Bool { isFinishing }

  /// Whether any element is held, in an open batch or a closed one.
  package var isPending: Bool { !open.isEmpty || !closed.isEmpty }

  package var deadline: PacingInstant { closed.first?.at ?? openDeadline }

  /// When time closes the open batch.
  private var openDeadline: PacingInstant {
    if let phase = limit.phase {
      let isDelivered = !open.isEmpty || limit.includesEmpty && !isFinishing
      return isDelivered ? gridPoint + phase : .distantFuture
    }
    return min(firstCame + limit.maximumDelay, lastCame + limit.idleGap)
  }

  // MARK: Verbs

  /// Takes an element; one that comes after the end is dropped.
  package mutating func send(_ element: Element, weight elementWeight: Int, at now: PacingInstant) {
    guard !isFinishing else { return }
    // What was due while a delivery was on its way closes before the element, not around it.
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
    if open.count >= limit.maximumCount || weight >= limit.maximumWeight { closeBySize(at: now) }
  }

  package mutating func flush(at now: PacingInstant) -> Bool {
    guard isPending else { return false }
    if !open.isEmpty { close(at: now) }
    return true
  }

  package mutating func cancel() -> [Element]? {
    let held = closed.takeAll().flatMap(\.batch) + open
    clear()
    return held.isEmpty ? nil : held
  }

  package mutating func finish(_ finish: Finish, at now: PacingInstant) -> [Element]? {
    let wasFinishing = isFinishing
    isFinishing = true
    guard finish != .discard else { return cancel() }
    if !open.isEmpty || limit.includesEmpty && !wasFinishing { close(at: now) }
    return nil
  }

  package mutating func due(at now: PacingInstant) -> [Element]? {
    if closed.isEmpty { closeByTime(at: now) }
    return closed.popFirst()?.batch
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
    closed.append((open, now))
    clear()
  }

  private mutating func clear() {
    open = []
    weight = 0
    firstCame = .distantFuture
    lastCame = .distantFuture
  }

  /// Moves to the last point of the grid that has come; lateness does not shift it.
  private mutating func catchUpWithGrid(at now: PacingInstant) {
    guard let phase = limit.phase else { return }
    gridPoint = gridPoint + phase.multiplied(by: (now - gridPoint) / phase)
  }
}
