import Pacing
import PacingTesting
import Synchronization

/// A timeline that is being drawn, on a clock of its own; a step is a second.
final class Timeline: Sendable {
  let clock = ManualClock()
  private let start: PacingInstant
  private let marks: Mutex<[Character]>

  init(steps: Int) {
    start = clock.now
    marks = Mutex(Array(repeating: "-", count: steps))
  }

  /// Draws a mark at the present step, or after it where there is one already.
  func draw(_ mark: Character) {
    let step = Int(start.duration(to: clock.now).components.seconds)
    marks.withLock { marks in
      if let free = marks.indices.first(where: { $0 >= step && marks[$0] == "-" }) {
        marks[free] = mark
      }
    }
  }

  /// Goes through the steps of a row: what is due happens first, and then the row's own event.
  func play(_ row: String, _ event: (Character) -> Void) {
    for (step, mark) in row.enumerated() {
      clock.advance(to: start.advanced(by: .seconds(step)))
      if mark != "-" { event(mark) }
      clock.advance(by: .zero)
    }
  }

  var line: String { String(marks.withLock { $0 }) }
}
