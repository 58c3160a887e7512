import Dispatch
import Pacing
import Synchronization

/// Creates a filter of a tool that takes values: a thread reads lines and sends them, a handler
/// writes them, and the end waits for the last one.
///
/// While the output is slow, the handler is running, so the tool holds what is due and merges new
/// lines: memory stays bounded, and no decision is lost.
///
/// ## Concurrency
/// Thread-safe. `write` runs where the tool runs it, one call at a time.
final class LineFilter: Sendable {
  /// A line, and its number in the input.
  struct Item: Sendable {
    let number: Int
    let line: Line
  }

  private struct State {
    var written = 0
    var awaited: (number: Int, promise: OneShot<Void>)?
    var failure: CommandError?
  }

  private let session: Session
  private let state = Mutex(State())

  init(_ session: Session) {
    self.session = session
  }

  /// The tool's handler: writes the line, and interrupts the work if that fails.
  func write(_ item: Item) {
    do {
      try session.output.write(item.line)
    } catch {
      session.interruption.interrupt(.failure(error))
    }
    let promise = state.withLock { state -> OneShot<Void>? in
      state.written = item.number
      guard let awaited = state.awaited, awaited.number <= item.number else { return nil }
      return awaited.promise
    }
    promise?.resolve(())
  }

  /// Sends the lines of the input to a tool until the input ends or the work is interrupted, and
  /// waits until all that the tool delivers is written.
  ///
  /// - Parameters:
  ///   - decisions: The tool's stream of decisions, and their end.
  ///   - send: Sends a line to the tool.
  ///   - finish: Finishes the tool.
  /// - Returns: Success.
  /// - Throws: The error that ended the work early.
  func run(
    _ decisions: AsyncStream<Item>, send: @escaping @Sendable (Item) -> Void,
    finish: @escaping @Sendable (Finish?) -> Void
  ) async throws(CommandError) -> ExitStatus {
    // Reading blocks its thread, so it has a queue of its own.
    DispatchQueue(label: "pace.input").async { [self] in
      read(send)
      finish(nil)
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
    let promise = OneShot<Void>()
    let isWritten = state.withLock { state in
      state.awaited = (number, promise)
      return state.written >= number
    }
    if !isWritten { await promise.outcome() }
  }
}
