import Foundation
import PacingTesting

/// A timeline that is being drawn, on a clock of its own; a step is a second.
struct Timeline: Sendable {
  let clock = ManualClock(step: .seconds(1))
  private let drawn: EventRecorder<Character>
  private let steps: Int

  init(steps: Int) {
    self.steps = steps
    drawn = EventRecorder(clock: clock)
  }

  /// Draws a mark at the present step.
  func draw(_ mark: Character) {
    drawn.record(mark)
  }

  /// Goes through the steps of a row: what is due happens first, and then the row's own event.
  func play(_ row: String, _ event: (Character) -> Void) {
    clock.play(Marbles(stringLiteral: row), event)
  }

  /// As `play`, for tools whose handlers run on threads of their own.
  func playAndSettle(_ row: String, _ event: (Character) -> Void) async {
    await clock.playAndSettle(Marbles(stringLiteral: row)) { event($0) }
  }

  /// What was drawn, with the step in which it happened.
  var moments: [(step: Int, mark: Character)] { Self.moments(of: drawn.marbles) }

  /// What was drawn, one character a step: a second mark of one step takes the next that is free.
  var line: String {
    var line = [Character](repeating: "-", count: steps)
    for (step, mark) in moments {
      guard let free = line.indices.first(where: { $0 >= step && line[$0] == "-" }) else { break }
      line[free] = mark
    }
    return String(line)
  }

  /// Whether the line says what was drawn, be it with groups or with marks in the steps after.
  func isDrawn(as line: String) -> Bool {
    guard line.contains("("), let marbles = try? Marbles(validating: line) else {
      return line == self.line
    }
    return Self.moments(of: marbles).elementsEqual(moments, by: ==)
  }

  /// The marks of a written timeline, with their steps.
  static func moments(of marbles: Marbles) -> [(step: Int, mark: Character)] {
    marbles.steps.enumerated().flatMap { step, happened in
      guard case .marks(let marks) = happened else { return [(step: Int, mark: Character)]() }
      return marks.map { (step, $0) }
    }
  }
}
