import Pacing
import PacingTesting

/// Plays timelines to the tools, one step of ten milliseconds per character.
///
/// A letter is sent; `!` flushes, `x` cancels, `r` resets, `|` finishes. A call precedes the timers
/// of its instant, so the tool itself discovers what was due.
extension Marbles {
  static let step = Duration.milliseconds(10)

  /// What a timeline does to the tool.
  struct Verbs {
    let send: (Character) -> Void
    let flush: () -> Void
    let cancel: () -> Void
    var reset: () -> Void = {}
    let finish: () -> Void
  }

  /// Plays the timeline, and draws the deliveries.
  static func play(
    _ script: String, _ make: (ManualClock, @escaping @Sendable (Character) -> Void) -> Verbs
  ) -> String {
    let clock = ManualClock(step: step)
    let delivered = EventRecorder<Character>(clock: clock)
    let verbs = make(clock, delivered.record)
    clock.play(Marbles(stringLiteral: script), ties: .callsFirst) { mark in
      switch mark {
      case "!": verbs.flush()
      case "x": verbs.cancel()
      case "r": verbs.reset()
      case "|": verbs.finish()
      default: verbs.send(mark)
      }
    }
    return delivered.marbles.description
  }
}
