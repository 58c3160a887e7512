import Dispatch
import Synchronization

/// The lines of a reader for a task: what blocks a thread happens on a queue of its own.
///
/// ## Concurrency
/// Thread-safe, for one task that takes line after line.
final class LineSource: Sendable {
  private let reader: Mutex<LineReader>
  private let queue = DispatchQueue(label: "pace.input")

  init(_ reader: consuming sending LineReader) {
    self.reader = Mutex(reader)
  }

  /// Waits for the next line.
  ///
  /// - Parameter spare: how many bytes may be read beyond the line.
  /// - Returns: the line, nil where there are no more.
  /// - Throws: an error where the input cannot be read.
  func next(readingAhead spare: Int) async throws(CommandError) -> Line? {
    let result = await withCheckedContinuation { continuation in
      queue.async { [self] in
        let result = reader.withLock { reader in
          Result { () throws(SystemError) in try reader.next(readingAhead: spare) }
        }
        continuation.resume(returning: result)
      }
    }
    switch result {
    case .success(let line): return line
    case .failure(let error): throw .unreadableInput(error)
    }
  }
}
