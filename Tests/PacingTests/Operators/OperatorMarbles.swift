import Pacing
import PacingTesting
import TestSupport
import Testing

/// A line of marbles for an operator, ten milliseconds a character, and the line that comes out.
///
/// Upstream: a letter is sent, `|` ends, `#` throws; in a step `~` time passes and no timer runs;
/// at `x` the consumer leaves. Downstream: what came in a step, in parentheses where it is more
/// than one thing; `!` is a timeout.
struct OperatorMarbles: CustomTestStringConvertible, Sendable {
  static let step = 10

  let upstream: String
  let expected: String
  let what: String
  let play: @Sendable (String) -> String

  var testDescription: String { "\(what): \(upstream)" }

  init<Operated: AsyncSequence & Sendable>(
    _ upstream: String, _ expected: String, _ what: String,
    _ operate: @escaping @Sendable (Source<Character, Fault>, ManualClock) -> Operated
  ) where Operated.Element: Sendable & Equatable {
    self.upstream = upstream
    self.expected = expected
    self.what = what
    play = { script in
      let stage = OperatorStage(operate)
      var drawing = ""
      var isLate = true
      for mark in script {
        // An input comes before the timers of its instant: the operator finds what was due.
        if !drawing.isEmpty {
          let step = Duration.milliseconds(Self.step)
          isLate || mark != "-" ? stage.clock.lapse(by: step) : stage.clock.advance(by: step)
        }
        if mark == "-" { stage.clock.advance(by: .zero) }
        isLate = mark == "~"
        switch mark {
        case "-", "~": stage.settle()
        case "|": stage.finish()
        case "#": stage.finish(throwing: Fault())
        case "x": stage.leave()
        default: stage.send(mark)
        }
        let now = stage.takeEvents().map(Self.draw).joined()
        drawing += now.isEmpty ? "-" : now.count == 1 ? now : "(\(now))"
      }
      return drawing
    }
  }

  private static func draw<Output>(_ event: OperatorStage<Character, Output>.Event) -> String {
    switch event {
    case .element(let character as Character, _): String(character)
    case .element(let batch as [Character], _): batch.isEmpty ? "0" : "[\(String(batch))]"
    case .element(let other, _): "\(other)"
    case .end: "|"
    case .fault: "#"
    case .timeout: "!"
    }
  }
}
