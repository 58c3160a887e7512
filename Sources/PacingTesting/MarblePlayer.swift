import Pacing

/// Moves a clock through the steps of a timeline.
struct MarblePlayer {
  private let clock: ManualClock
  private let ties: Ties
  private let start: PacingInstant
  private var steps: ArraySlice<Marbles.Step>
  private var isHeldUp = false

  init(_ marbles: Marbles, on clock: ManualClock, ties: Ties) {
    self.clock = clock
    self.ties = ties
    start = clock.now
    steps = marbles.steps[...]
  }

  /// Moves to the next step.
  ///
  /// - Returns: The marks to perform there, nil after the last step.
  mutating func next() -> [Character]? {
    let index = steps.startIndex
    guard let step = steps.popFirst() else { return nil }
    let wasHeldUp = isHeldUp
    isHeldUp = step == .late
    let elapsed = Nanoseconds(wait: clock.step).multiplied(by: Int64(index))
    let instant = start + elapsed
    guard case .marks(let marks) = step else {
      clock.lapse(to: instant)
      return []
    }
    if ties.callsAreFirst, !marks.isEmpty {
      // Only the timers of this very instant come after the call.
      if index > 0, !wasHeldUp { clock.advance(to: instant.advanced(by: .nanoseconds(-1))) }
      clock.lapse(to: instant)
    } else {
      if wasHeldUp { clock.lapse(to: instant) }
      clock.advance(to: instant)
    }
    return marks
  }

  /// Runs everything that the marks of this step have led to.
  func endStep() {
    if isHeldUp { clock.runReady() } else { clock.advance(by: .zero) }
  }
}
