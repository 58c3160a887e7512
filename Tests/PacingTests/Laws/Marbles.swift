import Pacing
import PacingTesting
import Synchronization

/// Plays a line of marbles to a tool on a manual clock, one step of ten milliseconds a character.
///
/// Nothing happens at `-`. A letter is sent; `!` flushes, `x` cancels, `r` resets, `|` finishes; `~` is a step in which time
/// passes and no timer runs. The result draws what was delivered, a letter at the step it came in.
struct Marbles {
  static let step = Duration.milliseconds(10)

  /// What the script does to the tool.
  struct Verbs {
    let send: (Character) -> Void
    let flush: () -> Void
    let cancel: () -> Void
    var reset: () -> Void = {}
    let finish: () -> Void
  }

  static func play(
    _ script: String, _ make: (ManualClock, @escaping @Sendable (Character) -> Void) -> Verbs
  ) -> String {
    let clock = ManualClock()
    let delivered = Delivered()
    let verbs = make(clock) { delivered.add($0) }
    var drawing = ""
    var isLate = true
    for mark in script {
      // A call comes before the timers of its instant: the tool finds out itself what was due.
      if !drawing.isEmpty {
        isLate || mark != "-" ? clock.lapse(by: step) : clock.advance(by: step)
      }
      if mark == "-" { clock.advance(by: .zero) }
      isLate = mark == "~"
      switch mark {
      case "-", "~": break
      case "!": verbs.flush()
      case "x": verbs.cancel()
      case "r": verbs.reset()
      case "|": verbs.finish()
      default: verbs.send(mark)
      }
      clock.runReady()
      let now = delivered.takeAll()
      drawing += now.isEmpty ? "-" : now.count == 1 ? String(now) : "(\(now))"
    }
    return drawing
  }
}

final class Delivered: Sendable {
  private let values = Mutex("")

  func add(_ value: Character) {
    values.withLock { $0.append(value) }
  }

  func takeAll() -> String {
    values.withLock { values in
      defer { values = "" }
      return values
    }
  }
}
