import Pacing
import Synchronization

/// A text behind the cursor of a terminal that counts the seconds to an instant.
///
/// It is erased when the wait ends, and output in front of it stays.
///
/// ## Concurrency
/// Thread-safe. Nothing is drawn after `end()` has returned.
final class Countdown: Sendable {
  private let timer = Mutex<DispatchTimer?>(nil)
  private let terminal = Descriptor.standardError

  /// The countdown, or nil if standard error is not a terminal that can draw in place.
  ///
  /// Output that another process passes on to the terminal could arrive behind the text: there is
  /// no countdown if standard output is a pipe.
  init?(isWanted: Bool) {
    guard isWanted, terminal.isTerminal, !Descriptor.standardOutput.isPipe else { return nil }
    let kind = OwnProcess.environment("TERM") ?? ""
    guard !kind.isEmpty, kind != "dumb" else { return nil }
  }

  /// Draws `text` and the time that is left; short waits are not drawn.
  func begin(_ text: String, until instant: PacingInstant) {
    let clock = DispatchClock()
    guard clock.now.duration(to: instant) >= .milliseconds(500) else { return }
    end()
    timer.withLock { timer in
      show("\u{1B}7" + Self.line(text, clock.now.duration(to: instant)))
      timer = DispatchTimer.scheduled(every: .seconds(1)) { [weak self] _ in
        self?.redraw(Self.line(text, clock.now.duration(to: instant)))
      }
    }
  }

  /// Erases the text.
  func end() {
    timer.withLock { timer in
      guard timer != nil else { return }
      timer = nil
      show("\u{1B}8\u{1B}[K")
    }
  }

  /// The text with the time that is left, in whole seconds, rounded up.
  static func line(_ text: String, _ left: Duration) -> String {
    let seconds = max(1, Int((left / .seconds(1)).rounded(.up)))
    return "\(text) in \(DurationText.text(of: .seconds(seconds)))"
  }

  private func redraw(_ line: String) {
    timer.withLock { timer in
      if timer != nil { show("\u{1B}8\u{1B}[K" + line) }
    }
  }

  private func show(_ text: String) {
    try? terminal.write(Array(text.utf8)[...])
  }
}
