import Pacing
import PacingTesting

/// What handlers and tasks saw, each with the time at which they saw it.
final class Record: Sendable {
  private let clock: ManualClock
  private let rows = Locked([Outcome.Row]())
  private let ending = Locked<Nanoseconds?>(nil)

  init(_ clock: ManualClock) {
    self.clock = clock
  }

  var all: [Outcome.Row] { rows.withLock { $0 } }
  var end: Nanoseconds? { ending.withLock { $0 } }

  func note(_ answer: Answer) {
    let row = Outcome.Row(at: clock.now.nanoseconds, answer)
    rows.withLock { $0.append(row) }
  }

  func noteEnd() {
    let time = clock.now.nanoseconds
    ending.withLock { $0 = time }
  }
}
