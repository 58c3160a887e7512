/// When a sampler delivers: at the ticks of a grid that nothing moves, if a value came since the last.
package struct SampleState: ValueTiming {
  private let period: Nanoseconds
  private var start: PacingInstant

  package private(set) var isPending = false
  package private(set) var isFinishing = false
  package private(set) var deadline = PacingInstant.distantFuture

  /// Makes a state whose grid begins at `start`: the first tick is one period later.
  ///
  /// - Precondition: `period` is positive.
  package init(period: Duration, start: PacingInstant) {
    ConfigurationError.require(period > .zero, "every", period, must: "be positive")
    self.period = Nanoseconds(roundingUp: period)
    self.start = start
  }

  /// The same, idle, with a grid that begins at another instant.
  package func starting(at start: PacingInstant) -> SampleState {
    var state = self
    state.start = start
    state.cancel()
    return state
  }

  package mutating func send(at now: PacingInstant) -> Intake {
    guard !isFinishing else { return .drop }
    if !isPending {
      isPending = true
      // A tick of this very instant was before the value: the next one delivers it.
      let ticks = ((now - start) / period).adding(1)
      deadline = start + period.multiplied(by: ticks)
    }
    return .keep
  }

  package mutating func due(at now: PacingInstant) {
    cancel()
  }

  package mutating func flush(at now: PacingInstant) {
    deadline = min(deadline, now)
  }

  package mutating func cancel() {
    isPending = false
    deadline = .distantFuture
  }

  package mutating func finish(_ finish: Finish, at now: PacingInstant) {
    isFinishing = true
    if finish == .atOnce, isPending { flush(at: now) } else { cancel() }
  }
}
