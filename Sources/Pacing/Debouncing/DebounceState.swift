/// When a debouncer delivers: the quiet period, its edges and the maximum wait.
///
/// A burst begins with the first value after idle and lasts until `quietUntil`, which each value
/// moves. A pending value has a deadline: the end of the quiet period or the limit of the maximum
/// wait, whichever is first; a leading value is one whose deadline is the instant it came at.
package struct DebounceState: ValueTiming {
  private let wait: Nanoseconds
  private let maximumWait: Nanoseconds
  private let edges: Edges

  package private(set) var isPending = false
  package private(set) var isFinishing = false
  package private(set) var deadline = PacingInstant.distantFuture
  private var quietUntil: PacingInstant?
  /// The instant by which the pending value is decided, however many follow it.
  private var limit = PacingInstant.distantFuture
  private var isLeading = false

  /// Makes an idle state; a maximum wait shorter than the wait counts as the wait.
  package init(wait: Duration, maximumWait: Duration?, edges: Edges) {
    let wait = Nanoseconds(wait: wait)
    self.wait = wait
    self.maximumWait = maximumWait.map { max(Nanoseconds(wait: $0), wait) } ?? .never
    self.edges = edges
  }

  package mutating func send(at now: PacingInstant) -> Intake {
    guard !isFinishing else { return .drop }
    let isInBurst = quietUntil.map { now < $0 } ?? false
    quietUntil = now + wait
    if isPending {
      // A value that is held because a delivery runs stays due; a leading one leads alone.
      guard edges.hasTrailing else { return .drop }
      if deadline > now { deadline = min(now + wait, limit) }
      return .keep
    }
    isLeading = edges.hasLeading && !isInBurst
    guard isLeading || edges.hasTrailing else { return .drop }
    isPending = true
    limit = now + maximumWait
    deadline = isLeading ? now : min(now + wait, limit)
    return .keep
  }

  package mutating func due(at now: PacingInstant) {
    // The window of a leading delivery opens when it is decided, be that late.
    if isLeading { quietUntil = max(quietUntil ?? now, now + wait) }
    clear()
  }

  package mutating func flush(at now: PacingInstant) {
    deadline = min(deadline, now)
    isLeading = false
    quietUntil = nil
  }

  package mutating func cancel() {
    quietUntil = nil
    clear()
  }

  package mutating func finish(_ finish: Finish, at now: PacingInstant) {
    isFinishing = true
    guard finish != .discard else { return cancel() }
    if isPending { flush(at: now) }
  }

  private mutating func clear() {
    isPending = false
    isLeading = false
    deadline = .distantFuture
  }
}
