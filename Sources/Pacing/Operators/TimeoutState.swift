/// The time that upstream may take to answer, counted from the moment it is asked.
package struct TimeoutState: PacedState {
  /// The limit of the present answer, and of those after it.
  private var limit: Duration
  private let each: Duration
  package private(set) var deadline = PacingInstant.distantFuture
  package private(set) var isFinished = false
  private var failure: TimeoutError?

  /// Creates a state; `first` is the limit of the first element, `each` that of each further one.
  package init(first: Duration, each: Duration) {
    limit = first
    self.each = each
  }

  /// Upstream is asked for the next element.
  package mutating func ask(at now: PacingInstant) {
    if !isFinished { deadline = now + Nanoseconds(wait: limit) }
  }

  /// Upstream has answered with an element; returns the error if it came too late.
  package mutating func answer() -> TimeoutError? {
    limit = each
    deadline = .distantFuture
    return failure
  }

  /// Upstream has ended, after which no time runs; returns the error if the end came too late.
  package mutating func stop() -> TimeoutError? {
    isFinished = true
    return answer()
  }

  package mutating func due(at now: PacingInstant) -> TimeoutError? {
    failure = TimeoutError(limit: limit)
    _ = cancel()
    return failure
  }

  package mutating func cancel() -> TimeoutError? {
    isFinished = true
    deadline = .distantFuture
    return nil
  }
}
