import Pacing
import PacingTesting
import TestSupport
import Testing

/// A marble string for an operator, ten milliseconds per character, and the expected output.
///
/// Upstream: a letter is sent, `|` ends, `#` throws; in a step `~` time passes without timers; at
/// `x` the consumer leaves. Downstream: the output of each step, in parentheses if it is more than
/// one event; `!` is a timeout.
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
        // An input precedes the timers of its instant: the operator discovers what was due.
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
