import Pacing
import PacingTesting

/// The observations of handlers and tasks, with their times.
final class Record: Sendable {
  private let clock: ManualClock
  private let rows = Locked([Outcome.Row]())
  private let ending = Locked<Nanoseconds?>(nil)

  init(_ clock: ManualClock) {
    self.clock = clock
  }

  var all: [Outcome.Row] { rows.withLock { $0 } }
  var count: Int { rows.withLock { $0.count } }
  var end: Nanoseconds? { ending.withLock { $0 } }

  var now: Nanoseconds { clock.now.nanoseconds }

  /// All times, in order.
  var times: [Nanoseconds] {
    all.compactMap { if case .span(let time) = $0.key { time } else { nil } }
  }

  func note(_ answer: Answer) {
    add(Outcome.Row(at: now, answer))
  }

  func add(_ row: Outcome.Row) {
    rows.withLock { $0.append(row) }
  }

  func noteEnd() {
    let time = now
    ending.withLock { $0 = time }
  }
}
