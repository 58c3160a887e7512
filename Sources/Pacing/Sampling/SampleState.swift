/// When a sampler delivers: at the ticks of a fixed grid, if a value came since the last one.
package struct SampleState: ValueTiming {
  package var wait: Nanoseconds
  private var start: PacingInstant

  package var isPending = false
  package var isFinishing = false
  package var deadline = PacingInstant.distantFuture

  /// Makes a state whose grid begins at `start`: the first tick is one period later.
  ///
  /// - Precondition: `period` is positive.
  package init(period: Duration, start: PacingInstant) {
    ConfigurationError.require(period > .zero, "every", period, must: "be positive")
    wait = Nanoseconds(roundingUp: period)
    self.start = start
  }

  /// An idle copy whose grid begins at `start`.
  package func starting(at start: PacingInstant) -> SampleState {
    var state = self
    state.start = start
    state.cancel()
    return state
  }

  package var idleAt: PacingInstant { .distantPast }

  package mutating func send(waiting period: Nanoseconds, at now: PacingInstant) -> SendResult {
    guard !isFinishing else { return .dropped(.finished) }
    guard !isPending else { return .merged }
    isPending = true
    // A tick at this instant precedes the value, so the next one delivers it.
    let ticks = ((now - start) / period).adding(1)
    deadline = start + period.multiplied(by: ticks)
    return .kept
  }

  package mutating func due(at now: PacingInstant) { cancel() }

  /// A value still waiting for its tick is dropped.
  package static var usualFinish: Finish { .discard }

  package mutating func finish(_ finish: Finish, at now: PacingInstant) {
    isFinishing = true
    if finish == .discard { cancel() } else if isPending { flush(at: now) }
  }
}
