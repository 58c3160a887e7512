/// When a debouncer delivers which value: the quiet period, its edges and the maximum wait.
///
/// A burst begins with the first value after idle and lasts until `quietUntil`, which each value
/// moves. A pending value has a deadline: the end of the quiet period or the limit of the maximum
/// wait, whichever is first; a leading value is one whose deadline is the instant it came at.
package struct DebounceState<Value: Sendable>: ValueState {
  private let wait: Nanoseconds
  private let maximumWait: Nanoseconds
  private let edges: Edges

  package private(set) var pending: Value?
  package private(set) var deadline = PacingInstant.distantFuture
  private var quietUntil: PacingInstant?
  /// The instant by which the pending value is decided, however many follow it.
  private var limit = PacingInstant.distantFuture
  private var isLeading = false
  private var isFinishing = false

  /// Makes an idle state; a maximum wait shorter than the wait counts as the wait.
  package init(wait: Duration, maximumWait: Duration?, edges: Edges) {
    let wait = Nanoseconds(wait: wait)
    self.wait = wait
    self.maximumWait = maximumWait.map { max(Nanoseconds(wait: $0), wait) } ?? .never
    self.edges = edges
  }

  package mutating func send(_ value: Value, at now: PacingInstant) -> Value? {
    guard !isFinishing else { return value }
    let isInBurst = quietUntil.map { now < $0 } ?? false
    quietUntil = now + wait
    if let held = pending {
      // A value that is held because a delivery runs stays due; a leading one leads alone.
      guard edges.hasTrailing else { return value }
      pending = value
      if deadline > now { deadline = min(now + wait, limit) }
      return held
    }
    isLeading = edges.hasLeading && !isInBurst
    guard isLeading || edges.hasTrailing else { return value }
    pending = value
    limit = now + maximumWait
    deadline = isLeading ? now : min(now + wait, limit)
    return nil
  }

  package mutating func due(at now: PacingInstant) -> Value? {
    // The window of a leading delivery opens when it is decided, be that late.
    if isLeading { quietUntil = max(quietUntil ?? now, now + wait) }
    return take()
  }

  package mutating func flush(at now: PacingInstant) -> Bool {
    guard pending != nil else { return false }
    makeDue(at: now)
    return true
  }

  package mutating func cancel() -> Value? {
    quietUntil = nil
    return take()
  }

  package mutating func finish(_ finish: Finish, at now: PacingInstant) -> Value? {
    isFinishing = true
    guard finish != .discard else { return cancel() }
    if pending != nil { makeDue(at: now) }
    return nil
  }

  package var isFinished: Bool { isFinishing && pending == nil }
  package var outlivesItsTool: Bool { isFinishing }

  private mutating func makeDue(at now: PacingInstant) {
    deadline = min(deadline, now)
    isLeading = false
    quietUntil = nil
  }

  private mutating func take() -> Value? {
    isLeading = false
    deadline = .distantFuture
    return pending.take()
  }
}
