/// When a debouncer delivers: the quiet period, its edges and the maximum wait.
///
/// A burst begins with the first value after idle and lasts until `quietUntil`, which each value
/// moves. The deadline of a pending value is the end of the quiet period or the limit of the
/// maximum wait, whichever comes first; a leading value is due at the instant it arrives.
package struct DebounceState: EdgedTiming {
  package var wait: Nanoseconds
  /// `never` for no limit.
  package var maximumWait: Nanoseconds
  package var edges: Edges

  package var isPending = false
  package var isFinishing = false
  package var deadline = PacingInstant.distantFuture
  private var quietUntil = PacingInstant.distantPast
  /// The latest deadline of the pending value, however many values follow it.
  private var limit = PacingInstant.distantFuture
  /// The quiet period that a pending leading value starts when it is decided; zero for other
  /// values.
  private var leadingWait: Nanoseconds = 0

  /// Makes an idle state; a maximum wait shorter than the wait counts as the wait.
  package init(wait: Duration, maximumWait: Duration?, edges: Edges) {
    self.wait = Nanoseconds(wait: wait)
    self.maximumWait = maximumWait.map(Nanoseconds.init(wait:)) ?? .never
    self.edges = edges
  }

  /// Without a leading edge it does not matter whether a burst is in progress.
  package var idleAt: PacingInstant { edges.hasLeading ? quietUntil : .distantPast }

  package mutating func adopt(settingsOf other: DebounceState) {
    wait = other.wait
    maximumWait = other.maximumWait
    edges = other.edges
  }

  package mutating func send(waiting wait: Nanoseconds, at now: PacingInstant) -> SendResult {
    guard !isFinishing else { return .dropped(.finished) }
    let isInBurst = now < quietUntil
    quietUntil = now + wait
    if isPending {
      // A value held while a delivery runs stays due; with a leading edge alone, later values are
      // dropped.
      guard edges.hasTrailing else { return .dropped(.edge) }
      if deadline > now { deadline = min(quietUntil, limit) }
      return .merged
    }
    let isLeading = edges.hasLeading && !isInBurst
    guard isLeading || edges.hasTrailing else { return .dropped(.edge) }
    isPending = true
    leadingWait = isLeading ? wait : 0
    limit = now + max(maximumWait, wait)
    deadline = isLeading ? now : quietUntil
    return .kept
  }

  package mutating func due(at now: PacingInstant) {
    // The quiet period after a leading delivery starts when that is decided, even if late.
    if leadingWait > 0 { quietUntil = max(quietUntil, now + leadingWait) }
    clear()
  }

  package mutating func flush(at now: PacingInstant) {
    deadline = min(deadline, now)
    leadingWait = 0
    quietUntil = .distantPast
  }

  package mutating func cancel() {
    quietUntil = .distantPast
    clear()
  }

  package mutating func finish(_ finish: Finish, at now: PacingInstant) {
    isFinishing = true
    guard finish != .discard else { return cancel() }
    if isPending { flush(at: now) }
  }

  private mutating func clear() {
    isPending = false
    leadingWait = 0
    deadline = .distantFuture
  }
}
