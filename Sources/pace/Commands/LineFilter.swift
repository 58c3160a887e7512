import Dispatch
import Pacing
import Synchronization

/// What stands around a tool that takes values, to make a filter of it: a thread that reads lines
/// and sends them, a handler that writes them, and an end that waits for the last one.
///
/// While the output is slow the handler is running, so the tool holds what is due and merges what
/// comes: memory stays bounded, and nothing that was decided is lost.
///
/// ## Concurrency
/// Thread-safe. `write` runs where the tool runs it, one at a time.
final class LineFilter: Sendable {
  /// A line, and which one of the input it is.
  struct Item: Sendable {
    let number: Int
    let line: Line
  }

  private struct State {
    var written = 0
    var awaited: (number: Int, wait: OneShot<Void>)?
    var failure: CommandError?
  }

  private let session: Session
  private let state = Mutex(State())

  init(_ session: Session) {
    self.session = session
  }

  /// The tool's handler: writes the line, and ends the work where that fails.
  func write(_ item: Item) {
    do {
      try session.output.write(item.line)
    } catch {
      session.interruption.interrupt(.failure(error))
    }
    let wait = state.withLock { state -> OneShot<Void>? in
      state.written = item.number
      guard let awaited = state.awaited, awaited.number <= item.number else { return nil }
      state.awaited = nil
      return awaited.wait
    }
    wait?.resolve(())
  }

  /// Sends the input's lines to a tool until they are over, or the work is interrupted, and waits
  /// until all that the tool delivers is written.
  ///
  /// - Parameters:
  ///   - decisions: the tool's stream: what it has decided, and that it has ended.
  ///   - send: sends a line to the tool.
  ///   - finish: tells the tool that there are no more.
  /// - Returns: success.
  /// - Throws: what ended the work early.
  func run(
    _ decisions: AsyncStream<Item>, send: @escaping @Sendable (Item) -> Void,
    finish: @escaping @Sendable (Finish) -> Void
  ) async throws(CommandError) -> ExitStatus {
    // Reading blocks its thread, so it has a queue of its own.
    DispatchQueue(label: "pace.input").async { [self] in
      read(send)
      finish(.deliver)
      session.interruption.whenInterrupted { finish(.atOnce) }
    }
    var last = 0
    for await decision in decisions { last = decision.number }
    await written(upTo: last)
    if let error = session.interruption.cause?.error ?? state.withLock({ $0.failure }) {
      throw error
    }
    return .success
  }

  private func read(_ send: (Item) -> Void) {
    var lines = LineReader(session.input())
    var number = 0
    do {
      while let line = try lines.next() {
        number += 1
        send(Item(number: number, line: line))
      }
    } catch {
      state.withLock { $0.failure = .unreadableInput(error) }
    }
  }

  private func written(upTo number: Int) async {
    let wait = OneShot<Void>()
    let isWritten = state.withLock { state in
      if state.written < number { state.awaited = (number, wait) }
      return state.written >= number
    }
    if !isWritten { await wait.outcome() }
  }
}
