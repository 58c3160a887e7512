import Synchronization

/// What a snippet printed, in place of the terminal.
final class Transcript: Sendable {
  private let lines = Mutex([String]())
  private let stream: AsyncStream<String>
  private let input: AsyncStream<String>.Continuation

  init() {
    (stream, input) = AsyncStream.makeStream()
  }

  func print(_ line: String) {
    lines.withLock { $0.append(line) }
    input.yield(line)
  }

  var text: [String] { lines.withLock { $0 } }

  /// Waits until the line has been printed.
  func line(_ line: String) async {
    for await printed in stream where printed == line { return }
  }
}
